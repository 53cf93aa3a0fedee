import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import type { SessionUser } from "./session.ts";

/** The result of an emailed link, read from the page's URL (implicit flow: after the #). */
export type EmailLink =
  | { kind: "session"; purpose: EmailPurpose; accessToken: string; refreshToken: string }
  | { kind: "problem"; code: string };

type EmailPurpose = "verification" | "recovery";

export const RESET_PATH = "/auth/reset";
const VERIFIED_PATH = "/shop";
const SIGN_IN_PATH = "/auth";

type Address = { pathname: string; hash: string; search: string };

/** The result in a URL, or null when there is none. The provider's `type` names the kind of email. */
export function readEmailLink({ hash, search }: Pick<Address, "hash" | "search">): EmailLink | null {
  const result = new URLSearchParams(hash.replace(/^#/, ""));
  const accessToken = result.get("access_token");
  const refreshToken = result.get("refresh_token");
  if (accessToken && refreshToken) {
    const purpose = result.get("type") === "recovery" ? "recovery" : "verification";
    return { kind: "session", purpose, accessToken, refreshToken };
  }
  // Some failures are in the query instead.
  const failed = [result, new URLSearchParams(search)].find((part) => part.has("error_description"));
  return failed ? { kind: "problem", code: failed.get("error_code") ?? failed.get("error") ?? "" } : null;
}

/**
 * The page that handles this link. A backend whose list of allowed URLs lacks ours redirects to its start page
 * instead, so the path in the URL cannot be relied on.
 */
export function pageForEmailLink(link: EmailLink, pathname: string): string {
  if (link.kind === "session") return link.purpose === "recovery" ? RESET_PATH : VERIFIED_PATH;
  return pathname === RESET_PATH ? RESET_PATH : SIGN_IN_PATH;
}

/** The same URL without the tokens, which must not stay in the address bar, the history or a bookmark. */
export function withoutEmailLink({ pathname, search }: Pick<Address, "pathname" | "search">): string {
  const rest = new URLSearchParams(search);
  for (const name of ["error", "error_code", "error_description"]) rest.delete(name);
  return pathname + (rest.size ? `?${rest}` : "");
}

/** Explains a failed link to the customer; the provider's messages are for developers. */
export function emailLinkProblem(code: string): string {
  if (code === "otp_expired" || code === "access_denied")
    return "This link has expired or has already been used.";
  if (code === "no_answer") return "We couldn't reach the shop to open your link.";
  return "This link didn't work.";
}

/** The user that an access token is for. The token is not verified here: the server does that when it is used. */
export function userOfToken(accessToken: string): SessionUser | null {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const { sub, email }: { sub?: string; email?: string } = JSON.parse(new TextDecoder().decode(bytes));
    return sub ? { id: sub, email: email ?? "" } : null;
  } catch {
    return null;
  }
}

/** The signed-in user, if it is not the token's user; otherwise null. */
export function otherUserSignedIn(accessToken: string): SessionUser | null {
  const { user } = (createStoredItem("local", SESSION_KEY).read() ?? {}) as { user?: Partial<SessionUser> };
  if (!user?.id || user.id === userOfToken(accessToken)?.id) return null;
  return { id: user.id, email: user.email ?? "" };
}
