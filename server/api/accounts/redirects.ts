/** Backslashes and control characters, which browsers and parsers interpret differently. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const ambiguous = /[\\\u0000-\u0020\u007f-\u009f]/;

/** A URL of the shop itself, rewritten as it was parsed; null for any other. */
function ownAddress(siteUrl: string, requested: string): string | null {
  if (ambiguous.test(requested) || !URL.canParse(requested)) return null;
  const url = new URL(requested);
  // Not only the origin: blob: addresses claim that of the address inside.
  const isOwn = url.origin === siteUrl && url.href.startsWith(`${siteUrl}/`);
  return isOwn && !url.username && !url.password ? url.href : null;
}

/** Where a link may lead: to the requested page of the shop's own origin, otherwise to `landing` there. */
export function allowedRedirect(siteUrl: string, requested: string | null, landing: string): string {
  return (requested && ownAddress(siteUrl, requested)) || new URL(landing, siteUrl).href;
}
