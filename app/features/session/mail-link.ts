/** What the link of a mail brought back, read from the page's address (implicit flow: after the #). */
export type MailLink =
  | { kind: "session"; purpose: MailPurpose; accessToken: string; refreshToken: string }
  | { kind: "problem"; code: string };

export type MailPurpose = "verification" | "recovery";

/** Where a new password is set. */
export const RESET_PATH = "/auth/reset";
const VERIFIED_PATH = "/shop";
const SIGN_IN_PATH = "/auth";

type Address = { pathname: string; hash: string; search: string };

/** The answer in an address, or null when it carries none. The provider's `type` names the mail. */
export function readMailLink({ hash, search }: Pick<Address, "hash" | "search">): MailLink | null {
  const answer = new URLSearchParams(hash.replace(/^#/, ""));
  const accessToken = answer.get("access_token");
  const refreshToken = answer.get("refresh_token");
  if (accessToken && refreshToken) {
    const purpose = answer.get("type") === "recovery" ? "recovery" : "verification";
    return { kind: "session", purpose, accessToken, refreshToken };
  }
  // Some failures come in the query instead.
  const failed = [answer, new URLSearchParams(search)].find((part) => part.has("error_description"));
  return failed ? { kind: "problem", code: failed.get("error_code") ?? failed.get("error") ?? "" } : null;
}

/**
 * The page that answers this link. A backend whose list of allowed addresses lacks ours leads to its start page
 * instead, so the path in the address cannot be relied on.
 */
export function pageForMailLink(link: MailLink, pathname: string): string {
  if (link.kind === "session") return link.purpose === "recovery" ? RESET_PATH : VERIFIED_PATH;
  return pathname === RESET_PATH ? RESET_PATH : SIGN_IN_PATH;
}

/** The same address without the answer, which must not stay in the address bar, the history or a bookmark. */
export function withoutMailLink({ pathname, search }: Pick<Address, "pathname" | "search">): string {
  const rest = new URLSearchParams(search);
  for (const name of ["error", "error_code", "error_description"]) rest.delete(name);
  return pathname + (rest.size ? `?${rest}` : "");
}

/** What to tell somebody whose link did not work. Providers say it in words for programmers. */
export function mailLinkProblem(code: string): string {
  if (code === "otp_expired" || code === "access_denied")
    return "This link has expired or has been used already.";
  if (code === "no_answer") return "The shop could not be reached to open your link.";
  return "This link did not work.";
}
