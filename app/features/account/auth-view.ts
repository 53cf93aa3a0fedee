/** What /auth shows: `?tab=` names it, so that each view has its own URL. */
export type AuthView = "sign-in" | "sign-up" | "forgot-password";

/** The view of a URL; the sign-in form by default. */
export function readAuthView(search: URLSearchParams): AuthView {
  const tab = search.get("tab");
  return tab === "sign-up" || tab === "forgot-password" ? tab : "sign-in";
}

export function authViewHref(view: AuthView): string {
  return view === "sign-in" ? "/auth" : `/auth?tab=${view}`;
}
