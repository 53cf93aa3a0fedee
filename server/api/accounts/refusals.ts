import { Refusal } from "../../lib/refusal.ts";

/** A refusal in the format of a hosted project's accounts API. */
export function accountsRefusalResponse({ status, code, message, headers }: Refusal): Response {
  return Response.json({ code: status, error_code: code, msg: message }, { status, headers });
}

export const invalid = (message: string) => new Refusal(400, "validation_failed", message);

/** The same message for a wrong password and an unknown address. */
export const invalidCredentials = () => new Refusal(400, "invalid_credentials", "Invalid login credentials");

export const unavailable = () =>
  new Refusal(
    503,
    "unexpected_failure",
    "The shop is temporarily unavailable. Please try again in a moment.",
    null,
    { "retry-after": "5" },
  );

/** Rounded up. */
export function describeWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 90) return `${seconds} second${seconds === 1 ? "" : "s"}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const retryAfter = (waitMs: number) => ({ "retry-after": String(Math.ceil(waitMs / 1000)) });

export function tooManyAttempts(waitMs: number): Refusal {
  const message = `Too many attempts. Please try again in ${describeWait(waitMs)}.`;
  return new Refusal(429, "over_request_rate_limit", message, null, retryAfter(waitMs));
}

export function tooManyEmails(waitMs: number): Refusal {
  const message = `For security purposes, you can only request this after ${describeWait(waitMs)}.`;
  return new Refusal(429, "over_email_send_rate_limit", message, null, retryAfter(waitMs));
}
