/** A refusal in the form of the hosted accounts API; thrown by the calls. */
export class AccountError extends Error {
  override name = "AccountError";
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  toResponse(): Response {
    const { status, code, message, headers } = this;
    return Response.json({ code: status, error_code: code, msg: message }, { status, headers });
  }
}

export const invalid = (message: string) => new AccountError(400, "validation_failed", message);

/** The same message for a wrong password and an unknown address. */
export const invalidCredentials = () =>
  new AccountError(400, "invalid_credentials", "Invalid login credentials");

/** Rounded up. */
export function describeWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 90) return `${seconds} second${seconds === 1 ? "" : "s"}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const retryAfter = (waitMs: number) => ({ "retry-after": String(Math.ceil(waitMs / 1000)) });

export function tooManyAttempts(waitMs: number): AccountError {
  const message = `Too many attempts. Please try again in ${describeWait(waitMs)}.`;
  return new AccountError(429, "over_request_rate_limit", message, retryAfter(waitMs));
}

export function tooManyEmails(waitMs: number): AccountError {
  const message = `For security purposes, you can only request this after ${describeWait(waitMs)}.`;
  return new AccountError(429, "over_email_send_rate_limit", message, retryAfter(waitMs));
}
