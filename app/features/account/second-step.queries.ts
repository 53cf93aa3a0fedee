import { type BackendClient, createAnonymousBackend } from "#app/lib/backend/client.ts";
import { createDeviceFetch } from "#app/lib/backend/device-id.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { unwrap, unwrapAuth, unwrapDone } from "#app/lib/backend/response.ts";
import { createBusyRetryingFetch } from "#app/lib/backend/retry-busy.ts";
import { backendAddress, readSetting } from "#app/lib/browser/env.ts";

/** The error code for a wrong or already used code. */
const WRONG_CODE = "mfa_verification_failed";

/** The active app; null without one. Queries the server, because it may have been removed elsewhere. */
async function findFactor(backend: BackendClient): Promise<string | null> {
  const found = await backend.auth.mfa.listFactors();
  unwrapAuth(found);
  return found.data?.totp[0]?.id ?? null;
}

/**
 * Completes the second step with a code from the app. Spaces are ignored.
 * @throws BackendFailure, as do all functions here
 */
export async function enterCode(backend: BackendClient, code: string): Promise<void> {
  const factorId = await findFactor(backend);
  if (factorId) await verifyCode(backend, factorId, code);
}

async function verifyCode(backend: BackendClient, factorId: string, code: string): Promise<void> {
  unwrapAuth(await backend.auth.mfa.challengeAndVerify({ factorId, code: code.replaceAll(/\s/g, "") }));
}

/** Completes the second step with a recovery code, which works once. */
export async function enterRecoveryCode(backend: BackendClient, code: string): Promise<void> {
  unwrapAuth(await backend.auth.mfa.recoveryCodes.verify({ code }));
}

/** An app that is being set up: `picture` is a data URL, `secret` in base 32. */
export type NewApp = { factorId: string; picture: string; secret: string; uri: string };

export async function beginSetUp(backend: BackendClient, shop: string): Promise<NewApp> {
  // A hosted project requires unique names.
  const friendlyName = `App ${new Date().toISOString().slice(0, 19)}`;
  const enrolled = await backend.auth.mfa.enroll({ factorType: "totp", issuer: shop, friendlyName });
  unwrapAuth(enrolled);
  if (!enrolled.data) throw new Error("An app without a secret");
  const { id, totp } = enrolled.data;
  return { factorId: id, picture: totp.qr_code, secret: totp.secret, uri: totp.uri };
}

export const finishSetUp = verifyCode;

/** Ten new codes, which are not shown again; null if the backend has no recovery codes. */
export async function makeRecoveryCodes(backend: BackendClient): Promise<readonly string[] | null> {
  const made = await backend.auth.mfa.recoveryCodes.regenerate();
  if (made.error?.status === 404) return null;
  unwrapAuth(made);
  return made.data?.codes ?? null;
}

/** Removes the app, after one more code from it. */
export async function removeSecondStep(backend: BackendClient, code: string): Promise<void> {
  const factorId = await findFactor(backend);
  if (!factorId) return;
  await verifyCode(backend, factorId, code);
  unwrapAuth(await backend.auth.mfa.unenroll({ factorId }));
  // The token still claims that the step was completed.
  await backend.auth.refreshSession();
}

/** Whether an app is set up, and how many recovery codes are left; null if the backend has no recovery codes. */
export async function readSecondStep(
  backend: BackendClient,
): Promise<{ isSetUp: boolean; codesLeft: number | null }> {
  if (!(await findFactor(backend))) return { isSetUp: false, codesLeft: null };
  const status = await backend.auth.mfa.recoveryCodes.getStatus();
  if (status.error && status.error.status !== 404) unwrapAuth(status);
  return { isSetUp: true, codesLeft: status.data?.remaining ?? null };
}

/** Times are ISO texts; `isThis` is the session that asks. */
export type OwnSession = {
  id: string;
  agent: string | null;
  since: string;
  lastUsed: string;
  isThis: boolean;
};

export async function listOwnSessions(backend: BackendClient): Promise<OwnSession[]> {
  return unwrap(await backend.rpc("list_own_sessions")).map((row) => ({
    id: row.id,
    agent: row.user_agent,
    since: row.created_at,
    lastUsed: row.last_used_at,
    isThis: row.is_this,
  }));
}

export async function endOwnSession(backend: BackendClient, id: string): Promise<void> {
  unwrapDone(await backend.rpc("end_own_session", { _id: id }));
}

/** One for all checks, because supabase-js warns about several clients. */
let checking: BackendClient | undefined;

/**
 * Checks the signed-in user's password. Signing in again would check it too, but that session would lack the second
 * step.
 * @throws BackendFailure, with the code `invalid_credentials` for a wrong one
 */
export async function checkPassword(email: string, password: string): Promise<void> {
  checking ??= createAnonymousBackend(
    backendAddress(),
    readSetting("publishableKey"),
    createDeviceFetch(createBusyRetryingFetch()),
  );
  const { auth } = checking;
  unwrapAuth(await auth.signInWithPassword({ email, password }));
  await auth.signOut({ scope: "local" });
}

export const isWrongCode = (error: unknown) => isBackendFailure(error) && error.code === WRONG_CODE;
