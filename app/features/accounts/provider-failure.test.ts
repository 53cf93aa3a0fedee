import { AuthApiError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { isMailTooSoon, providerMessage } from "./provider-failure.ts";

test("The provider's own message is passed on to the letter", () => {
  const refusal = new AuthApiError("Invalid login credentials", 400, "invalid_credentials");
  expect(providerMessage(refusal)).toBe("Invalid login credentials");
});

test("Without an answer the customer reads what happened instead of a technical remark", () => {
  const told = "The shop could not be reached. Please check your connection and try again.";
  expect(providerMessage(new AuthRetryableFetchError("Failed to fetch", 0))).toBe(told);
  expect(providerMessage(new AuthRetryableFetchError("{}", 503))).toBe(told);
  expect(providerMessage(new AuthApiError("{}", 500, undefined))).toBe(told);
  expect(providerMessage(new TypeError("Failed to fetch dynamically imported module"))).toBe(told);
});

test("A limit that only known addresses meet is told from other refusals", () => {
  expect(isMailTooSoon(new AuthApiError("Wait", 429, "over_email_send_rate_limit"))).toBe(true);
  expect(isMailTooSoon(new AuthApiError("Wait", 429, "over_request_rate_limit"))).toBe(false);
});
