import { createHmac, timingSafeEqual } from "node:crypto";
import { isUuid } from "#shared/text/uuid.ts";
import type { Secrets } from "../lib/secrets.ts";

/** The role and account that a request runs as. */
export type Caller = {
  role: "anon" | "authenticated" | "service_role";
  userId: string | null;
  claims: Record<string, unknown>;
};

/** Why a request's credentials are rejected; always a 401. */
type Fault = { code: string; message: string };

/** What a session's token is checked against. */
export type TokenKeys = Pick<Secrets, "jwtSecret"> & { issuer: string };

/** The only audience of a session's token, as on a hosted project. */
export const audience = "authenticated";

/** Who issues the sessions' tokens of a shop with this origin. */
export const issuerOf = (siteUrl: string) => `${siteUrl}/auth/v1`;

function parse(part: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

type Claims = Record<string, unknown>;
type Signed = { claims: Claims } | { fault: Fault };

/** Tokens whose signatures have been verified: a customer sends the same one for up to an hour. */
const verifiedTokens = new Map<string, { jwtSecret: string; claims: Claims }>();
const maxVerified = 1_000;

function readSigned(token: string, jwtSecret: string): Signed {
  const cached = verifiedTokens.get(token);
  if (cached?.jwtSecret === jwtSecret) return { claims: cached.claims };
  const signed = verifySignature(token, jwtSecret);
  if ("fault" in signed) return signed;
  if (verifiedTokens.size >= maxVerified) verifiedTokens.clear();
  verifiedTokens.set(token, { jwtSecret, claims: Object.freeze(signed.claims) });
  return signed;
}

const fault = (code: string, message: string) => ({ fault: { code, message } });

function verifySignature(token: string, jwtSecret: string): Signed {
  const [head, body, signature, ...more] = token.split(".");
  const { alg, crit } = parse(head);
  // RFC 7515, section 4.1.11: a token with a critical extension that isn't supported is invalid; none is supported.
  if (!signature || more.length > 0 || alg !== "HS256" || crit !== undefined)
    return fault("PGRST301", "The session's token cannot be read.");
  const expected = createHmac("sha256", jwtSecret).update(`${head}.${body}`).digest("base64url");
  // Compared as text: the last character of base64url has spare bits, and a changed token is not the same token.
  if (!isSame(Buffer.from(signature), Buffer.from(expected)))
    return fault("PGRST301", "The session's token is not from this shop.");
  return { claims: parse(body) };
}

/** The claims of a session's token (HS256), which must not be changed, or why it is invalid. */
export function verifyToken(token: string, { jwtSecret, issuer }: TokenKeys, nowMs: number): Signed {
  const signed = readSigned(token, jwtSecret);
  if ("fault" in signed) return signed;
  const { iss, aud, exp, nbf } = signed.claims;
  if (typeof exp !== "number" || exp * 1000 <= nowMs) return fault("PGRST303", "JWT expired");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf * 1000 <= nowMs))
    return fault("PGRST303", "JWT not yet valid");
  if (iss !== issuer) return fault("PGRST303", "JWT from another issuer");
  if (aud !== audience) return fault("PGRST303", "JWT not in audience");
  return signed;
}

/** A request's bearer token. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];

/**
 * Who sends a request: the shop's key identifies a visitor or the owner, as on a hosted project, and a session's
 * token the customer.
 */
export function identify(
  headers: Headers,
  url: URL,
  secrets: Secrets & TokenKeys,
  nowMs: number,
): { caller: Caller } | { fault: Fault } {
  const key = headers.get("apikey") ?? url.searchParams.get("apikey") ?? "";
  const isKey = (known: string) => isSame(Buffer.from(key), Buffer.from(known));
  const isOwner = isKey(secrets.secretKey);
  if (!isOwner && !isKey(secrets.publishableKey))
    return { fault: { code: "PGRST301", message: key ? "Invalid API key" : "No API key found in request" } };
  const token = bearerOf(headers);
  if (token === undefined || token === key) {
    const role = isOwner ? "service_role" : "anon";
    return { caller: { role, userId: null, claims: { role } } };
  }
  const verified = verifyToken(token, secrets, nowMs);
  if ("fault" in verified) return verified;
  const { sub, role } = verified.claims;
  if (role !== "authenticated" || typeof sub !== "string" || !isUuid(sub))
    return { fault: { code: "PGRST301", message: "The session's token is not a customer's." } };
  return { caller: { role, userId: sub, claims: verified.claims } };
}
