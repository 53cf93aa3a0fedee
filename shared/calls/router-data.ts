/** Two slashes at its start would name another site. */
export const oneSlash = (path: string) => path.replace(/^\/+/, "/");

const DATA = /(?:(?<=\/)_)?\.data$/;

/** The page whose data the router requests at this URL, as path and query; null when it is not such a URL. */
export function pageOfData({ pathname, searchParams }: URL): string | null {
  if (!DATA.test(pathname)) return null;
  const query = new URLSearchParams(searchParams);
  query.delete("_routes");
  // "/.//" starts with two only after parsing.
  return oneSlash(pathname.replace(DATA, "")) + (query.size > 0 ? `?${query}` : "");
}

/** The response to such a request that makes the router open the page as a new document. */
export function asNewDocument(page: string): Record<string, string> {
  return { "Cache-Control": "no-store", "X-Remix-Redirect": page, "X-Remix-Reload-Document": "true" };
}
