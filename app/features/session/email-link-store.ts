import { createStore, useStore } from "#app/lib/react/create-store.ts";

/** An emailed link that waits for an answer because another user is signed in. */
export type LinkQuestion = { signedInEmail: string; linkEmail: string; follow: () => Promise<void> };

const linkProblem = createStore<string | null>(null);
const linkQuestion = createStore<LinkQuestion | null>(null);

/** The provider's code for an emailed link that failed; null when none failed on this visit. */
export function useLinkProblem(): string | null {
  return useStore(linkProblem);
}

/** Stores the code of a failed link for the page that explains it; null once the customer has acted on it. */
export const setLinkProblem = linkProblem.set;

/** The pending question whether an emailed link may sign out the current user; null when there is none. */
export function useLinkQuestion(): LinkQuestion | null {
  return useStore(linkQuestion);
}

/** Makes the page ask whether a link may sign out the current user. */
export const askAboutLink = linkQuestion.set;

/** Follows the waiting link, or drops it and keeps the current session. */
export function answerLinkQuestion(follow: boolean): void {
  const waiting = linkQuestion.get();
  linkQuestion.set(null);
  if (follow) void waiting?.follow();
}
