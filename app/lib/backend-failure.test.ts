import { describe, expect, test } from "vitest";
import { BackendFailure, sentenceOf, unwrap, unwrapWritten } from "./backend-failure.ts";

const refusal = {
  code: "PT409",
  message: "The last admin cannot be demoted or deleted.",
  details: '{"code": "last_admin", "admins": 1}',
};

describe("a failed call of the backend", () => {
  test("a refusal of our own keeps its sentence, its code and its facts", () => {
    const failure = new BackendFailure(refusal, 409);
    expect(failure.sentence).toBe("The last admin cannot be demoted or deleted.");
    expect(failure.code).toBe("last_admin");
    expect(failure.facts.admins).toBe(1);
  });

  test("the database's own words are never shown", () => {
    const raw = { code: "23514", message: 'new row violates check constraint "books_price_check"' };
    expect(new BackendFailure(raw, 500).sentence).toBeNull();
    expect(sentenceOf(new Error("boom"))).toBeNull();
  });

  test("no connection, no session and no right each have words of their own", () => {
    const sentences = [0, 401, 403, 413, 429].map((status) => new BackendFailure({}, status).sentence);
    expect(new Set(sentences).size).toBe(5);
    expect(sentences).not.toContain(null);
  });

  test("a number that no column holds is named", () => {
    const raw = { code: "22003", message: "numeric field overflow" };
    expect(new BackendFailure(raw, 400).sentence).toBe("A number is too large to be saved.");
  });

  test("the message for the log carries neither the server's words nor its facts", () => {
    expect(new BackendFailure({ ...refusal, message: "Ama Mensah, 0244123456" }, 409).message).toBe(
      "409 last_admin",
    );
  });

  test("details that are no JSON do no harm", () => {
    expect(new BackendFailure({ ...refusal, details: "{oops" }, 409).code).toBe("PT409");
  });
});

describe("reading an answer", () => {
  test("data comes out, an error is thrown", () => {
    expect(unwrap({ data: [1], error: null, status: 200 })).toEqual([1]);
    expect(() => unwrap({ data: null, error: refusal, status: 409 })).toThrow("409 last_admin");
    expect(() => unwrap({ data: null, error: null, status: 200 })).toThrow("no_data");
  });

  test("a write that touched no row is a failure", () => {
    expect(unwrapWritten({ data: [{ id: 1 }], error: null, status: 200 })).toEqual({ id: 1 });
    expect(() => unwrapWritten({ data: [], error: null, status: 200 })).toThrow("no_row");
  });
});
