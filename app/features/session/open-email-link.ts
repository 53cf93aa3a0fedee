import { showToast } from "#app/components/toast.ts";
import { authFailure } from "#app/lib/backend/response.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { getBackend, signInByLink, startFromStorage } from "./backend.ts";
import {
  type EmailLink,
  emailLinkProblem,
  otherUserSignedIn,
  pageForEmailLink,
  readEmailLink,
  userOfToken,
  withoutEmailLink,
} from "./email-link.ts";
import { askAboutLink, setLinkProblem } from "./email-link-store.ts";
import { startRecovery } from "./recovery.ts";
import { takeRememberedPage } from "./remembered-page.ts";
import { getSession } from "./session.ts";

type SessionLink = EmailLink & { kind: "session" };

/** Handles an emailed link in the page's URL, and removes it from the URL. */
export function openEmailLink(): void {
  const link = readEmailLink(window.location);
  if (link && redirectToItsPage(link)) return;
  if (link) window.history.replaceState(window.history.state, "", withoutEmailLink(window.location));
  if (link?.kind === "problem") setLinkProblem(link.code);
  const other = link?.kind === "session" ? otherUserSignedIn(link.accessToken) : null;
  if (link?.kind === "session" && other) {
    const linkEmail = userOfToken(link.accessToken)?.email ?? "";
    askAboutLink({ signedInEmail: other.email, linkEmail, follow: () => followLink(link) });
  }
  if (link?.kind === "session" && !other) void followLink(link);
  else startFromStorage();
}

/** Redirects when the link belongs on another page; returns whether it does. */
function redirectToItsPage(link: EmailLink): boolean {
  const page = pageForEmailLink(link, window.location.pathname);
  if (page === window.location.pathname) return false;
  window.location.replace(page + (link.kind === "session" ? window.location.hash : problemHash(link.code)));
  return true;
}

function problemHash(code: string): string {
  return `#${new URLSearchParams({ error_code: code, error_description: code })}`;
}

async function followLink(link: SessionLink): Promise<void> {
  const problem = await signInByLink(() => exchangeTokens(link));
  if (problem && getSession().status === "signed-in") showToast("error", emailLinkProblem(problem));
}

async function exchangeTokens({ accessToken, refreshToken, purpose }: SessionLink): Promise<string | null> {
  const { auth } = await getBackend();
  const { data, error } = await auth.setSession({ access_token: accessToken, refresh_token: refreshToken });
  if (data.user && purpose === "recovery") startRecovery(data.user.id);
  else if (data.user) showVerified();
  if (error) return isUnanswered(authFailure(error)) ? "no_answer" : "otp_expired";
  return null;
}

/** With the way back to what the customer was choosing when they were asked for an account. */
function showVerified(): void {
  const place = takeRememberedPage();
  showToast("success", "Your email is verified. You're signed in.", {
    action: place ? { label: "Back to your books", onClick: () => window.location.assign(place) } : undefined,
  });
}
