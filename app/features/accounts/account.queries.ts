import { RESET_PATH } from "#app/features/session/mail-link.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import type { ProviderError } from "./provider-failure.ts";

export type NewAccount = { email: string; password: string; fullName: string; phone: string };

/** What a call for an account came to: null when it worked. */
type Outcome = ProviderError | null;

/**
 * Asks for an account. An e-mail that has one already gets the same answer. The mail's link leads to /shop.
 * `siteUrl` is the origin that the mail's links lead to, in these calls.
 */
export async function createAccount(
  backend: BackendClient,
  { email, password, fullName, phone }: NewAccount,
  siteUrl: string,
): Promise<Outcome> {
  const { error } = await backend.auth.signUp({
    email,
    password,
    options: { emailRedirectTo: `${siteUrl}/shop`, data: { full_name: fullName, phone } },
  });
  return error;
}

/** Sends the verification mail once more. */
export async function resendVerification(
  backend: BackendClient,
  email: string,
  siteUrl: string,
): Promise<Outcome> {
  const { error } = await backend.auth.resend({
    type: "signup",
    email,
    options: { emailRedirectTo: `${siteUrl}/shop` },
  });
  return error;
}

export async function signIn(backend: BackendClient, email: string, password: string): Promise<Outcome> {
  const { error } = await backend.auth.signInWithPassword({ email, password });
  return error;
}

/** Asks for a mail whose link allows to choose a new password. */
export async function requestPasswordReset(
  backend: BackendClient,
  email: string,
  siteUrl: string,
): Promise<Outcome> {
  const { error } = await backend.auth.resetPasswordForEmail(email, { redirectTo: siteUrl + RESET_PATH });
  return error;
}

/** Gives whoever is signed in a new password. */
export async function changePassword(backend: BackendClient, password: string): Promise<Outcome> {
  const { error } = await backend.auth.updateUser({ password });
  return error;
}
