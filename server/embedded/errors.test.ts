import { expect, test } from "vitest";
import { statusOf, toAnswerableError } from "./errors.ts";

const answerOf = (error: object) => {
  const { code, message, detail } = toAnswerableError(error) as Record<string, string>;
  expect(code).toBe("PGRST");
  return { ...JSON.parse(message ?? ""), status: JSON.parse(detail ?? "").status };
};

test("A broken constraint is answered with its own code and status 400, without the refused row's values", () => {
  const error = {
    code: "23514",
    message: 'new row for relation "books" violates check constraint "books_price_is_not_negative"',
    detail: "Failing row contains (1 Ring Road, +233201234567).",
  };
  expect(answerOf(error)).toEqual({
    code: "23514",
    message: error.message,
    details: null,
    hint: null,
    status: 400,
  });
});

test("A deadlock keeps its code, so that the client can try again", () => {
  expect(answerOf({ code: "40P01", message: "deadlock detected" })).toMatchObject({
    code: "40P01",
    status: 500,
  });
});

test("A plain RAISE is the caller's fault, a lost connection the server's", () => {
  expect([statusOf("P0001"), statusOf("08006"), statusOf("53300"), statusOf("57014")]).toEqual([
    400, 503, 503, 500,
  ]);
});

test("What the library answers rightly by itself is left alone", () => {
  for (const code of ["PT409", "23505", "42501", "22P02", "42P01"]) {
    const error = { code, message: "as it is" };
    expect(toAnswerableError(error)).toBe(error);
  }
  const other = new Error("no code");
  expect(toAnswerableError(other)).toBe(other);
});

test("What only we can mend is told without the names of files and machines, as a failure of ours", () => {
  const cases: [string, string][] = [
    ["53100", 'could not extend file "base/5/16400": No space left on device'],
    ["XX001", 'invalid page in block 3 of relation "base/5/16400"'],
    ["57P01", "terminating connection due to administrator command"],
    ["24000", 'cannot drop active portal ""'],
    ["CONNECTION_CLOSED", "write CONNECTION_CLOSED 10.0.0.7:5432"],
    ["58030", 'could not read file "/home/owner/data"'],
  ];
  for (const [code, message] of cases) {
    const answer = answerOf({ code, message, detail: "/home/owner/data" });
    expect(answer).toMatchObject({ code: code === "CONNECTION_CLOSED" ? "08006" : code, details: null });
    expect(answer.message).toBe(
      "The shop's database is out of order at the moment. Please try again in a few minutes.",
    );
    expect(answer.status).toBeGreaterThanOrEqual(500);
  }
});

test("A value that PGlite itself refuses is the asker's mistake, as it is on PostgreSQL", () => {
  expect(toAnswerableError(new Error("Invalid input for boolean type"))).toMatchObject({ code: "22P02" });
});

test("A statement without columns is told in words, without the statement", () => {
  const answer = answerOf({ code: "42601", message: 'syntax error at or near ")"' });
  expect(answer).toMatchObject({ code: "PGRST102", status: 400 });
  expect(answer.message).not.toContain("syntax");
});
