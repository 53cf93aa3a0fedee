import { AuthApiError } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { requestPasswordReset, resendVerification } from "./account.queries.ts";

/** A client whose provider refuses each request for an email with the code. */
function refusing(code: string): BackendClient {
  const refuse = async () => ({ data: null, error: new AuthApiError("Wait", 429, code) });
  return { auth: { resetPasswordForEmail: refuse, resend: refuse } } as unknown as BackendClient;
}

test("A rate limit that only known addresses hit does not reveal them", async () => {
  const reset = (code: string) => requestPasswordReset(refusing(code), "ama@example.com", "https://shop");
  await expect(reset("over_email_send_rate_limit")).resolves.toBeUndefined();
  await expect(reset("over_request_rate_limit")).rejects.toThrow("429 over_request_rate_limit");
});

test("A customer who requests the verification email again has to wait", async () => {
  const again = resendVerification(refusing("over_email_send_rate_limit"), "ama@example.com", "https://shop");
  await expect(again).rejects.toThrow("429 over_email_send_rate_limit");
});
