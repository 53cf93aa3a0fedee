/**
 * Whether this is a path of this site, safe to open, whatever its source. Browsers read `\` as `/` and drop tabs and line
 * breaks, so `//host`, `/\host` and `/<tab>/host` are other sites (WHATWG URL, "basic URL parser").
 */
export function isOwnPath(text: string): boolean {
  return /^\/(?![/\\\t\n\r])/.test(text);
}
