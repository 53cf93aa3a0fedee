import { RESET_PATH } from "#app/features/session/email-link.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrapAuth } from "#app/lib/backend/response.ts";

type NewAccount = { email: string; password: string; fullName: string; phone: string };

/** The code of a sign-in with an account whose email address is not verified. */
export const NOT_VERIFIED = "email_not_confirmed";

/** The code of a refusal to send another email to the same account so soon. */
const EMAIL_TOO_SOON = "over_email_send_rate_limit";

/**
 * Requests an account. An email that already has one gets the same response. The link in the email leads to /shop.
 * @param siteUrl the origin of the links in emails, here and below
 * @throws BackendFailure with the provider's own message, as do all functions here
 */
export async function createAccount(
  backend: BackendClient,
  { email, password, fullName, phone }: NewAccount,
  siteUrl: string,
): Promise<void> {
  unwrapAuth(
    await backend.auth.signUp({
      email,
      password,
      options: { emailRedirectTo: `${siteUrl}/shop`, data: { full_name: fullName, phone } },
    }),
  );
}

export async function resendVerification(
  backend: BackendClient,
  email: string,
  siteUrl: string,
): Promise<void> {
  unwrapAuth(
    await backend.auth.resend({
      type: "signup",
      email,
      options: { emailRedirectTo: `${siteUrl}/shop` },
    }),
  );
}

export async function signIn(backend: BackendClient, email: string, password: string): Promise<void> {
  unwrapAuth(await backend.auth.signInWithPassword({ email, password }));
}

/**
 * Requests an email with a link for choosing a new password. A second request that comes too soon counts as successful:
 * providers refuse it only for known addresses, which would reveal who is a customer.
 */
export async function requestPasswordReset(
  backend: BackendClient,
  email: string,
  siteUrl: string,
): Promise<void> {
  const response = await backend.auth.resetPasswordForEmail(email, { redirectTo: siteUrl + RESET_PATH });
  if (response.error?.code !== EMAIL_TOO_SOON) unwrapAuth(response);
}

export async function changePassword(backend: BackendClient, password: string): Promise<void> {
  unwrapAuth(await backend.auth.updateUser({ password }));
}

/**
 * Asks for another email address. It stays the old one until the link in the email to the new one has been followed;
 * the old address is notified.
 */
export async function changeEmail(backend: BackendClient, email: string, siteUrl: string): Promise<void> {
  unwrapAuth(await backend.auth.updateUser({ email }, { emailRedirectTo: `${siteUrl}/shop` }));
}

/** Ends the user's sessions on all devices. */
export async function signOutEverywhere(backend: BackendClient): Promise<void> {
  unwrapAuth(await backend.auth.signOut({ scope: "global" }));
}
