import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The stored form of a recovery code. Codes are random, so one HMAC with the shop's key is enough: guessing needs the
 * key too. Ignores capitals, spaces and hyphens.
 */
export const hashCode = (jwtSecret: string, factorId: string, code: string) =>
  createHmac("sha256", jwtSecret)
    .update(`recovery code ${factorId} ${code.toLowerCase().replaceAll(/[\s‐-―-]/g, "")}`)
    .digest("base64url");

export const isSameText = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
