import { AuthApiError, AuthRetryableFetchError, AuthUnknownError } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { BackendFailure } from "./failure.ts";
import { authFailure, failureFrom, unwrap, unwrapAuth, unwrapDone, unwrapWritten } from "./response.ts";

const refusal = {
  code: "PT409",
  message: "The last admin cannot be demoted or deleted.",
  details: '{"code": "last_admin", "admins": 1}',
};

describe("a refusal by the shop's own functions", () => {
  test("keeps its message, code and facts", () => {
    const failure = failureFrom(refusal, 409);
    expect(failure).toBeInstanceOf(BackendFailure);
    expect(failure.refusal).toBe("The last admin cannot be demoted or deleted.");
    expect(failure.code).toBe("last_admin");
    expect(failure.facts.admins).toBe(1);
    // The owner's commands show it.
    expect(failure.cause).toBe(refusal);
  });

  test.each(["{oops", "[]", "null", '"text"', "", null])(
    "has no facts when its details are %j",
    (details) => {
      const failure = failureFrom({ ...refusal, details }, 409);
      expect(failure.code).toBe("PT409");
      expect(failure.facts).toEqual({});
    },
  );
});

test("The database's own message and details are never for users", () => {
  const raw = { code: "23514", message: 'violates check constraint "books_price_check"', details: '{"a":1}' };
  expect(failureFrom(raw, 400)).toMatchObject({ status: 400, code: "23514", facts: {}, refusal: null });
});

describe("reading a response", () => {
  const refused = { data: null, error: refusal, status: 409 };

  test("returns the data or throws the failure", () => {
    expect(unwrap({ data: [1], error: null, status: 200 })).toEqual([1]);
    expect(() => unwrap(refused)).toThrow("409 last_admin");
    expect(() => unwrap({ data: null, error: null, status: 200 })).toThrow("no_data");
  });

  test("fails when a write affected no row", () => {
    expect(unwrapWritten({ data: [{ id: 1 }], error: null, status: 200 })).toEqual({ id: 1 });
    expect(() => unwrapWritten({ data: [], error: null, status: 200 })).toThrow("no_row");
  });

  test("accepts a function that returns nothing", () => {
    expect(() => unwrapDone({ data: null, error: null, status: 204 })).not.toThrow();
    expect(() => unwrapDone(refused)).toThrow("409 last_admin");
  });
});

describe("a call to the accounts API", () => {
  test("passes, or fails with the provider's code and its own message", () => {
    expect(() => unwrapAuth({ error: null })).not.toThrow();
    const error = new AuthApiError("Invalid login credentials", 400, "invalid_credentials");
    expect(() => unwrapAuth({ error })).toThrow("400 invalid_credentials");
    expect(authFailure(error).refusal).toBe("Invalid login credentials");
  });

  test.each([
    new AuthRetryableFetchError("Failed to fetch", 0),
    new AuthRetryableFetchError("{}", 503),
    new AuthUnknownError("Unexpected token '<'", null),
  ])("has no response when the library could not read one: %s", (error) => {
    expect(authFailure(error)).toMatchObject({ status: 0, code: "no_response", refusal: null });
  });

  test("has no message for users when the provider sent none", () => {
    expect(authFailure(new AuthApiError("{}", 500, undefined))).toMatchObject({ status: 500, refusal: null });
  });
});
