import { expect, test } from "vitest";
import { Refusal } from "../lib/refusal.ts";
import { logLineOf, refusalOf, statusOf } from "./errors.ts";

test.each([
  ...([
    ["23503", 409],
    ["23505", 409],
    ["23514", 400],
    ["25006", 405],
    ["42883", 404],
    ["42P01", 404],
  ] as const),
  ...([
    ["42P17", 500],
    ["P0001", 400],
    ["09000", 500],
    ["0L000", 403],
    ["0P000", 403],
    ["25000", 500],
  ] as const),
  ...([
    ["28000", 403],
    ["2D000", 500],
    ["38000", 500],
    ["39000", 500],
    ["3B000", 500],
    ["55000", 500],
  ] as const),
  ...([
    ["F0000", 500],
    ["HV000", 500],
    ["P0002", 500],
    ["22P02", 400],
    ["42703", 400],
  ] as const),
] as [string, number][])("%s gets status %i", (code, status) => {
  expect(statusOf(code)).toBe(status);
  expect(refusalOf({ code, message: "m", detail: "d" }, "anon")).toMatchObject({
    status,
    code,
    message: "m",
    details: "d",
  });
});

const words = "The shop is temporarily unavailable. Please try again in a few minutes.";

test.each(["08006", "24000", "53200", "57P03", "58000", "XX000"])("%s is a server fault", (code) => {
  expect(refusalOf({ code, message: "/home" }, "anon")).toMatchObject({
    status: 503,
    code,
    message: words,
    details: null,
    headers: { "retry-after": "5" },
  });
});

test.each([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "ENOENT",
  "ETIMEDOUT",
])("%s is a lost connection", (code) => {
  expect(refusalOf({ code }, "anon")).toMatchObject({
    status: 503,
    code: "08006",
    message: words,
    headers: { "retry-after": "5" },
  });
});

test.each([
  null,
  undefined,
  {},
  { code: 42501 },
  { code: "XECONNRESET" },
  { code: "EPIPES" },
  { code: "4250" },
  { code: "X42501" },
])("%j is not a response from the database", (thrown) => {
  expect(refusalOf(thrown, "anon")).toBeNull();
});

test("A failure that the request itself caused keeps its message", () => {
  for (const [code, status, message] of [
    ["57014", 400, "This request takes too long. Ask for less at a time."],
    ["54001", 400, "This request is too complex."],
    ["40001", 409, "Another change to the same rows came first. Please try again."],
    ["42501", 403, ""],
  ] as const)
    expect(refusalOf({ code }, "authenticated")).toMatchObject({
      status,
      code,
      message,
      details: null,
      headers: {},
    });
  const refusal = new Refusal(418, "x", "y");
  expect(refusalOf(refusal, "anon")).toBe(refusal);
});

test("A refused row's values are not disclosed, and neither is what only looks like a refusal of ours", () => {
  expect(refusalOf({ code: "23514", detail: "Failing row contains (1)." }, "anon")?.details).toBeNull();
  expect(
    refusalOf({ code: "23505", detail: "Key (id)=(1) exists; Failing row contains." }, "anon")?.details,
  ).toBe("Key (id)=(1) exists; Failing row contains.");
  expect(refusalOf({ code: "PT409", message: "No." }, "anon")).toMatchObject({ status: 400, code: "PT409" });
  expect(refusalOf({ code: "PT409", detail: "{}" }, "anon")).toMatchObject({ status: 400, message: "" });
  expect(refusalOf({ code: "PT509", message: "No.", detail: "{}" }, "anon")?.status).toBe(400);
  const own = refusalOf({ code: "PT409", message: "No.", detail: '{"retry_after_seconds": "x"}' }, "anon");
  expect([own?.status, own?.headers]).toEqual([409, {}]);
});

test.each([
  "PT409",
  "PGRST205",
  "42P01",
  "42883",
  "42703",
  "42804",
  "23514",
  "25006",
  "42501",
  "428C9",
  "22P02",
  "P0001",
  "40001",
])("%s is expected and not logged", (code) => {
  expect(logLineOf({ code })).toBeNull();
});

test.each([
  [{ code: "XPT409" }, "a request failed: XPT409"],
  [{ code: "PT4091" }, "a request failed: PT4091"],
  [{ code: "a b", name: "E" }, "a request failed: E"],
  [{ code: "a".repeat(64) }, "a request failed: unknown"],
  [{ code: "a".repeat(63) }, `a request failed: ${"a".repeat(63)}`],
  [{ code: 1 }, "a request failed: unknown"],
  [{ code: "53100", constraint_name: "Ama Mensah" }, "a request failed: the database's disk is full (53100)"],
  [null, "a request failed: unknown"],
  [undefined, "a request failed: unknown"],
])("%j is logged as %j", (thrown, line) => {
  expect(logLineOf(thrown)).toBe(line);
});
