import { expect, test } from "vitest";
import { BackendFailure } from "#app/lib/backend/failure.ts";
import { booksFailureMessage } from "./books-failure.ts";

test.each([
  [{ status: 0 }, "We can't reach the catalogue right now"],
  [{ status: 503 }, "We can't reach the catalogue right now"],
  [{ status: 500, code: "XX000" }, "We can't reach the catalogue right now"],
  [{ status: 500, code: "57014" }, "The search took too long"],
  [{ status: 400, code: "22023", refusal: "secret words" }, "Failed to fetch books"],
  [{ status: 200, code: "no_data" }, "Failed to fetch books"],
])("For the failure %j a customer sees: %s", (details, message) => {
  expect(booksFailureMessage(new BackendFailure(details))).toBe(message);
});
