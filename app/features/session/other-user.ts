import { SESSION_KEY } from "#app/lib/env.ts";
import type { SessionUser } from "./session.ts";

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
  try {
    const { user }: { user?: Partial<SessionUser> } =
      JSON.parse(window.localStorage.getItem(SESSION_KEY) ?? "null") ?? {};
    if (!user?.id || user.id === userOfToken(accessToken)?.id) return null;
    return { id: user.id, email: user.email ?? "" };
  } catch {
    return null;
  }
}
