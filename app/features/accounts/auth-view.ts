/** What /auth shows: `?tab=` names it, so that each has an address of its own. */
export type AuthView = "sign-in" | "sign-up" | "forgot-password";

/** The view of an address; whatever else it says, signing in is offered. */
export function readAuthView(search: URLSearchParams): AuthView {
  const tab = search.get("tab");
  return tab === "sign-up" || tab === "forgot-password" ? tab : "sign-in";
}

export function authViewHref(view: AuthView): string {
  return view === "sign-in" ? "/auth" : `/auth?tab=${view}`;
}
