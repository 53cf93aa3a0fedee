import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/*
 * Codes of authenticator apps: RFC 6238 as all of them implement it, with SHA-1, 30 seconds and six digits. No
 * package, because it's one HMAC (decision 54).
 */

const stepSeconds = 30;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4226 recommends 160 bits. */
export const newSecret = () => randomBytes(20);

/** Base32 without padding (RFC 4648), the form in which apps accept a secret. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)])
    .join("");
}

/** The number of a moment's time step. */
export const stepAt = (nowMs: number) => Math.floor(nowMs / 1000 / stepSeconds);

/** The code of one step (RFC 4226, section 5.3). */
export function codeOf(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0x0f;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * The step of this code: the current one, or the one before or after for a clock that is up to 30 s off. Null for a
 * wrong code. Always compares all three, in constant time.
 */
export function findStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const now = stepAt(nowMs);
  const typed = Buffer.from(code.padEnd(6, " ").slice(0, 6));
  const isWhole = /^\d{6}$/.test(code);
  let found: number | null = null;
  for (const step of [now - 1, now, now + 1]) {
    const isSame = typed.length === 6 && timingSafeEqual(Buffer.from(codeOf(secret, step)), typed);
    if (isSame && isWhole) found = step;
  }
  return found;
}

/** What the QR code holds. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  const uri = new URL(`otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`);
  uri.search = new URLSearchParams({ secret: toBase32(secret), issuer }).toString().replaceAll("+", "%20");
  return uri.href;
}

const keyOf = (jwtSecret: string) => Buffer.from(hkdfSync("sha256", jwtSecret, "", "second step", 32));

/**
 * A secret, encrypted with a key derived from the shop's: the database alone is not enough to make codes.
 * @param factorId bound to it, so that no row's secret can stand in for another's
 */
export function sealSecret(secret: Uint8Array, factorId: string, jwtSecret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(jwtSecret), nonce).setAAD(Buffer.from(factorId));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** @throws if it was encrypted with another shop key */
export function openSecret(stored: string, factorId: string, jwtSecret: string): Buffer {
  const bytes = Buffer.from(stored, "base64");
  const cipher = createDecipheriv("aes-256-gcm", keyOf(jwtSecret), bytes.subarray(0, 12))
    .setAAD(Buffer.from(factorId))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]);
}
