import { expect, test } from "vitest";
import { Refusal } from "../lib/refusal.ts";
import { logLineOf, refusalOf, statusOf } from "./errors.ts";

test("A constraint violation returns its own code and status 400, without the refused row's values", () => {
  const error = {
    code: "23514",
    message: 'new row for relation "books" violates check constraint "books_price_is_not_negative"',
    detail: "Failing row contains (1 Ring Road, +233201234567).",
  };
  expect(refusalOf(error, "anon")).toMatchObject({
    status: 400,
    code: "23514",
    message: error.message,
    details: null,
  });
});

test("A refusal of our own keeps its status, its sentence, its facts and when to retry", () => {
  const detail = '{"code": "too_many_orders", "retry_after_seconds": 60}';
  expect(refusalOf({ code: "PT429", message: "Too many orders.", detail }, "authenticated")).toMatchObject({
    status: 429,
    code: "PT429",
    message: "Too many orders.",
    details: detail,
    headers: { "retry-after": "60" },
  });
});

test("A missing permission is 401 for a visitor, who could sign in, and 403 for a customer", () => {
  const error = { code: "42501", message: "permission denied for table books" };
  expect([refusalOf(error, "anon")?.status, refusalOf(error, "authenticated")?.status]).toEqual([401, 403]);
});

test("A deadlock keeps its code, so that the client can retry, and names no processes", () => {
  const error = { code: "40P01", message: "deadlock detected", detail: "Process 17 waits for ShareLock" };
  const refusal = refusalOf(error, "authenticated");
  expect([refusal?.status, refusal?.code, refusal?.details]).toEqual([409, "40P01", null]);
  expect(refusal?.message).not.toContain("deadlock");
});

test("A statement that times out or nests too deeply is the request's fault, which no client retries automatically", () => {
  for (const code of ["57014", "54001", "54000"])
    expect(refusalOf({ code, message: "canceling statement" }, "anon")).toMatchObject({ status: 400, code });
});

test("A plain RAISE is the caller's fault, a broken function's the server's", () => {
  expect([
    statusOf("P0001"),
    statusOf("P0002"),
    statusOf("23505"),
    statusOf("42P01"),
    statusOf("22P02"),
  ]).toEqual([400, 500, 409, 404, 400]);
});

test("What only we can fix is reported as a server failure, without the names of files and machines", () => {
  const cases: [string, string][] = [
    ["53100", 'could not extend file "base/5/16400": No space left on device'],
    ["XX001", 'invalid page in block 3 of relation "base/5/16400"'],
    ["57P01", "terminating connection due to administrator command"],
    ["CONNECTION_CLOSED", "write CONNECTION_CLOSED 10.0.0.7:5432"],
    ["58030", 'could not read file "/home/owner/data"'],
  ];
  for (const [code, message] of cases) {
    const refusal = refusalOf({ code, message, detail: "/home/owner/data" }, "anon");
    expect(refusal).toMatchObject({
      status: 503,
      code: code === "CONNECTION_CLOSED" ? "08006" : code,
      message: "The shop is temporarily unavailable. Please try again in a few minutes.",
      details: null,
    });
  }
});

test("An error from elsewhere is not a response from the database", () => {
  expect(refusalOf(new TypeError("no function"), "anon")).toBeNull();
});

test("The log names unexpected errors by their code only, and leaves out everyday refusals", () => {
  expect(logLineOf({ code: "XX000", message: "Ama Mensah", constraint_name: "a_rule" })).toBe(
    "a request failed: XX000 a_rule",
  );
  expect(logLineOf(new TypeError("Ama Mensah"))).toBe("a request failed: TypeError");
  for (const code of ["PT409", "42501", "23505", "22P02", "40P01"]) expect(logLineOf({ code })).toBeNull();
  expect(logLineOf(new Refusal(404, "PGRST205", "Ama Mensah"))).toBeNull();
});
