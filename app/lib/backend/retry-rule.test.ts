import { expect, test } from "vitest";
import { BackendFailure } from "./failure.ts";
import { isTemporary, isUnanswered } from "./retry-rule.ts";

const statuses = [0, 200, 400, 401, 403, 404, 406, 409, 413, 422, 429, 500, 501, 502, 503, 504, 522];
const thoseThat = (rule: (error: unknown) => boolean) =>
  statuses.filter((status) => rule(new BackendFailure({ status })));

test("A missing response, or a gateway's, leaves the outcome unknown", () => {
  expect(thoseThat(isUnanswered)).toEqual([0, 502, 503, 504]);
});

test("A failure is temporary without a response, when the backend is too busy, or when it failed", () => {
  expect(thoseThat(isTemporary)).toEqual([0, 429, 500, 501, 502, 503, 504, 522]);
});

test("A bug is neither temporary nor of unknown outcome", () => {
  const bug = Object.assign(new TypeError("x is undefined"), { status: 503 });
  expect([isUnanswered(bug), isTemporary(bug), isUnanswered(null), isTemporary(null)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
