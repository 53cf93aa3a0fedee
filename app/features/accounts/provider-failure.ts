/** What the authentication provider says when it refuses; `code` is stable, `message` is for people. */
export type ProviderError = { message: string; code?: string; status?: number; name?: string };

const UNREACHABLE = "The shop could not be reached. Please check your connection and try again.";

/** The account exists, but the link of its verification mail has not been followed. */
export const NOT_VERIFIED = "email_not_confirmed";

/** Providers answer this only for addresses that they know: to show it would tell who is a customer. */
const MAIL_TOO_SOON = "over_email_send_rate_limit";

/**
 * The provider's own message. Without an answer from the provider there is only the browser's or the library's
 * technical remark, in place of which a sentence of ours stands.
 */
export function providerMessage(error: unknown): string {
  if (!isProviderError(error) || error.name === "AuthRetryableFetchError") return UNREACHABLE;
  return /[a-z]/i.test(error.message) ? error.message : UNREACHABLE;
}

/** Whether the answer to "send me a mail" must look like success. */
export function isMailTooSoon(error: ProviderError): boolean {
  return error.code === MAIL_TOO_SOON;
}

/** One console line for whoever looks into it; the message may quote what was typed, so it is left out. */
export function logProviderFailure(what: string, error: unknown): void {
  const { code, status } = isProviderError(error) ? error : {};
  console.error(`${what}: ${code || status || "no answer"}`);
}

function isProviderError(error: unknown): error is ProviderError {
  // Refusals carry a status; a download or a connection that broke off is an error without one.
  return error instanceof Error && "status" in error;
}
