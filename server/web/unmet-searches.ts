import type { Backend } from "../api/backend.ts";
import type { UnmetSearch } from "./page-forms.ts";

/** Crawlers and link previews that identify themselves. */
const robots = /bot\b|crawl|spider|slurp|preview/i;

/**
 * Counts a search that found little when its page is shown to a visitor. Prefetched pages and those fetched by robots don't
 * count.
 */
export function noteShown(
  { noteUnmet }: Pick<Backend, "noteUnmet">,
  { text, found }: UnmetSearch,
  clientIp: string,
  header: (name: string) => string | string[] | null | undefined,
): void {
  const isPrefetch = ["sec-purpose", "purpose", "x-moz"].some((name) =>
    String(header(name)).includes("prefetch"),
  );
  if (!isPrefetch && !robots.test(String(header("user-agent")))) noteUnmet?.("search", text, found, clientIp);
}
