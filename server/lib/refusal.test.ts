import { expect, test } from "vitest";
import { accountsRefusalResponse } from "../api/accounts/refusals.ts";
import { storageRefusalResponse } from "../api/storage/refusals.ts";
import { isRule, Refusal, refusalResponse } from "./refusal.ts";

test("each API responds to a refusal in its own format", async () => {
  const facts = '{"code":"too_many"}';
  const refusal = new Refusal(429, "PT429", "Wait.", facts, { "retry-after": "9" });
  const responses = [refusalResponse, accountsRefusalResponse, storageRefusalResponse].map((each) =>
    each(refusal),
  );
  for (const response of responses)
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "9"]);
  expect(await Promise.all(responses.map((response) => response.json()))).toEqual([
    { code: "PT429", message: "Wait.", details: facts, hint: null },
    { code: 429, error_code: "PT429", msg: "Wait." },
    { statusCode: "429", error: "too_many", message: "Wait." },
  ]);
});

test("only codes of the shop's own rules are a rule's", () => {
  expect(["PT409", "PT4090", "XPT409", "PT509", 409, undefined].map((code) => isRule({ code }))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
