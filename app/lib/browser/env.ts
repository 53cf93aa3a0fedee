/** Runtime settings reach the browser as meta tags, so that one build serves every backend. */
export const SETTING_NAMES = {
  backendUrl: "backend-url",
  publishableKey: "backend-key",
  shop: "shop",
} as const;

/** Local storage key of the session; the script in the page's head reads it too. */
export const SESSION_KEY = "adwene-session";

/** Local storage keys with this prefix are ours. On signing out all but the session's are removed here, and those by the client. */
export const STORAGE_PREFIX = "adwene-";

/** Local storage keys of lists that are read from there without a connection. */
export const SAVED_PREFIX = `${STORAGE_PREFIX}saved-`;

/** Local storage key of the id of the user whose data this browser stores; none once they have signed out. */
export const DATA_OWNER_KEY = `${STORAGE_PREFIX}kept-for`;

/** Session storage keys with this prefix are personal and are removed on sign-out. */
export const TAB_PREFIX = "adwene-";

/** Fired on the window when the user's data is removed from this browser: code that holds some in memory must drop it. */
export const FORGET_EVENT = "adwene-forget";

/** Session storage key of where a visitor was, and what they clicked, when they were asked to sign in. */
export const RETURN_KEY = `${TAB_PREFIX}return`;

export function readSetting(name: keyof typeof SETTING_NAMES): string {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${SETTING_NAMES[name]}"]`);
  if (!meta) throw new Error(`The page carries no ${SETTING_NAMES[name]}`);
  return meta.content;
}

/** The backend's URL; the embedded backend is at the page's own origin. */
export function backendAddress(): string {
  return readSetting("backendUrl") || window.location.origin;
}
