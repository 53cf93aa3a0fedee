/** Runtime settings reach the browser as meta tags: one build serves every backend. */
export const SETTING_NAMES = { backendUrl: "backend-url", publishableKey: "backend-key" } as const;

/** Local storage entry that holds the session; the script in the page's head looks for it too. */
export const SESSION_KEY = "adwene-session";

/** Session storage entries that begin so belong to the person and go when he signs out. */
export const TAB_PREFIX = "adwene-";

export function readSetting(name: keyof typeof SETTING_NAMES): string {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${SETTING_NAMES[name]}"]`);
  if (!meta?.content) throw new Error(`The page carries no ${SETTING_NAMES[name]}`);
  return meta.content;
}
