import { expect, onTestFinished, test, vi } from "vitest";
import { BackendFailure, SIGNED_OUT } from "./failure.ts";
import { customerMessage, logFailure, unreachableMessage } from "./failure-message.ts";
import { failureFrom } from "./response.ts";
import { serverMessage, staffMessage } from "./staff-message.ts";

test.each([
  [{ status: 0 }, "We can't reach the shop right now. Please try again in a moment."],
  [{ status: 401 }, SIGNED_OUT],
  [{ status: 401, code: "PGRST301" }, null],
  [{ status: 403 }, "You no longer have permission to do this."],
  [{ status: 401, code: "42501" }, SIGNED_OUT],
  [{ status: 400, code: "42501" }, "You no longer have permission to do this."],
  [{ status: 429 }, "Too many requests. Wait a minute and try again."],
  [{ status: 409, code: "23505" }, null],
  [{ status: 500 }, null],
  [{ status: 409, refusal: "Only 2 left." }, "Only 2 left."],
])("For the failure %j customers and staff see: %s", (details, message) => {
  expect(customerMessage(new BackendFailure(details))).toBe(message);
  expect(staffMessage(new BackendFailure(details))).toBe(message);
});

test("A book that could not be saved shows the database's message, if there is one", () => {
  const plain = failureFrom(
    { code: "23514", message: 'violates check constraint "books_isbn_is_short"' },
    400,
  );
  expect(staffMessage(plain)).toBe(null);
  expect(serverMessage(plain)).toBe('violates check constraint "books_isbn_is_short"');
  expect(serverMessage(failureFrom({ code: "PT400", message: "The title is required." }, 400))).toBe(
    "The title is required.",
  );
  expect(serverMessage(failureFrom({ code: "22003", message: "numeric field overflow" }, 400))).toBe(
    "A number is too large to be saved.",
  );
  for (const silent of [
    failureFrom({ code: "no_row" }, 409),
    failureFrom({ message: " " }, 500),
    new Error("x"),
  ])
    expect(serverMessage(silent)).toBe(null);
  expect(serverMessage(failureFrom({ message: "TypeError: Failed to fetch" }, 0))).toBe(unreachableMessage());
});

test("Staff also see what is too large to be saved", () => {
  const number = failureFrom({ code: "22003", message: "numeric field overflow" }, 400);
  expect(staffMessage(number)).toBe("A number is too large to be saved.");
  const body = new BackendFailure({ status: 413 });
  expect(staffMessage(body)).toBe("This is too large to be saved.");
  expect(staffMessage(new BackendFailure({ status: 413, refusal: "Too long." }))).toBe("Too long.");
  expect([customerMessage(number), customerMessage(body)]).toEqual([null, null]);
});

test("A bug has no message for anyone", () => {
  expect([customerMessage(new Error("boom")), staffMessage(new Error("boom"))]).toEqual([null, null]);
  expect([customerMessage(null), staffMessage(undefined)]).toEqual([null, null]);
});

test("A user who is offline is reminded to check the connection", () => {
  vi.stubGlobal("navigator", { onLine: false });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(unreachableMessage()).toBe(
    "We can't reach the shop right now. Check your connection and try again.",
  );
  // What code that cannot be fetched throws.
  expect(customerMessage(new TypeError("Failed to fetch"))).toBe(unreachableMessage());
});

test("The log has one line, without the server's message or its facts", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const details = '{"code": "total_changed", "name": "Ama Mensah"}';
  logFailure("Failed to place order", failureFrom({ code: "PT409", message: "0244123456", details }, 409));
  logFailure("Failed to place order", failureFrom({ message: "0244123456" }, 500));
  logFailure("Failed to place order", "a text");
  expect(log.mock.calls).toEqual([
    ["Failed to place order (BackendFailure: 409 total_changed)"],
    ["Failed to place order (BackendFailure: 500 no code)"],
    ["Failed to place order (unknown cause)"],
  ]);
});
