import type { Gap } from "./gap.ts";

/** The account calls that the shop uses; the library offers more, among them accounts without a confirmed mail. */
const accountCalls = [
  "signup",
  "token",
  "verify",
  "recover",
  "resend",
  "logout",
  "user",
  "health",
  "settings",
];

function isServed(path: string): boolean {
  if (path.startsWith("/auth/v1/")) return accountCalls.includes(path.slice("/auth/v1/".length));
  // Signed addresses are not used by the shop, and the library fails at them.
  if (/^\/storage\/v1\/object\/(upload\/)?sign(\/|$)/.test(path)) return false;
  return path.startsWith("/rest/v1/") || path.startsWith("/storage/v1/");
}

/** The library shows its configuration to anyone under /_system; only what the shop uses is served. */
export const servedPaths: Gap = async (exchange, next) =>
  isServed(exchange.url.pathname)
    ? next(exchange)
    : Response.json({ message: "There is nothing at this address." }, { status: 404 });
