import { createHmac, timingSafeEqual } from "node:crypto";
import type { Gap } from "./gap.ts";

type Fault = { code: string; message: string };

const part = (text: string | undefined): unknown => {
  try {
    return JSON.parse(Buffer.from(text ?? "", "base64url").toString("utf8"));
  } catch {
    return null;
  }
};

/** What is wrong with a session's token (HS256); null when nothing is. */
export function findFault(token: string, secret: string, nowMs: number): Fault | null {
  const [head, claims, signature, ...more] = token.split(".");
  const algorithm = (part(head) as { alg?: unknown } | null)?.alg;
  if (!signature || more.length > 0 || algorithm !== "HS256") {
    return { code: "PGRST301", message: "The session's token cannot be read." };
  }
  const expected = createHmac("sha256", secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { code: "PGRST301", message: "The session's token is not from this shop." };
  }
  const { exp } = (part(claims) ?? {}) as { exp?: unknown };
  if (typeof exp !== "number" || exp * 1000 <= nowMs) return { code: "PGRST303", message: "JWT expired" };
  return null;
}

/** The token that a request carries. */
export const bearerOf = (request: Request): string | undefined =>
  /^Bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];

/** What a token says; only worth something when nothing is wrong with it. */
export const claimsOf = (token: string) => (part(token.split(".")[1]) ?? {}) as Record<string, unknown>;

/** The library takes a broken or expired token for no token at all; a hosted project refuses it. */
export const validBearer: Gap = async (exchange, next, { secrets, now }) => {
  const { request, url } = exchange;
  const token = bearerOf(request);
  if (!token || token.startsWith("sb_") || !url.pathname.startsWith("/rest/")) return next(exchange);
  const fault = findFault(token, secrets.jwtSecret, now());
  return fault ? Response.json({ ...fault, details: null, hint: null }, { status: 401 }) : next(exchange);
};
