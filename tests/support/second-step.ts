import { codeOf, stepAt } from "#server/api/accounts/totp.ts";
import type { Client } from "./factories.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an authenticator app does with the secret that it is shown: base 32 without padding (RFC 4648). */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an app shows now, or some steps away from now. */
export const appCode = (secret: string, away = 0) => codeOf(fromBase32(secret), stepAt(Date.now()) + away);

/** Waits for the next step if this one is nearly over: a busy machine takes seconds to send its code. */
export async function freshStep(): Promise<void> {
  const leftMs = 30_000 - (Date.now() % 30_000);
  if (leftMs < 20_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
}

/** Sets up the second step of a signed-in client, which takes it by that; returns the app's secret. */
export async function setUpSecondStep({ auth }: Client): Promise<string> {
  const { data } = await auth.mfa.enroll({ factorType: "totp", friendlyName: "App" });
  if (!data) throw new Error("No app could be set up");
  const { error } = await auth.mfa.challengeAndVerify({
    factorId: data.id,
    // The step before, so that the current one is still unused.
    code: appCode(data.totp.secret, -1),
  });
  if (error) throw error;
  return data.totp.secret;
}
