import autocannon from "autocannon";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

/** Chromium's header: pages are measured compressed, as browsers get them. */
export const BROWSER_ENCODINGS = "gzip, deflate, br, zstd";

type PageLoad = {
  url: string;
  connections: number;
  seconds: number;
  /** Paths to repeat, or a function that returns the next uncached path. */
  path: string | (() => string);
  /** Whether the shop must render a page for each request; not set for other servers. */
  work?: "rendered";
};

export type PageRate = { perSecond: number; p50: number; p99: number; total: number };

let clients = 0;
/** Gives each request another client address, so that limits per client don't slow it down. */
export const nextClient = () => {
  clients += 1;
  return `2001:db8:${(clients >> 16).toString(16)}:${(clients & 0xffff).toString(16)}::1`;
};

/**
 * Loads pages, compressed, for a fixed time; uncached ones from a different client each.
 * @throws Error if one is refused or fails, or if the shop's count of rendered pages isn't the number sent
 */
export async function loadPages({ url, connections, seconds, path, work }: PageLoad): Promise<PageRate> {
  const headers = { "accept-encoding": BROWSER_ENCODINGS };
  const before = work ? await readCounts(url) : null;
  const request: autocannon.Request =
    typeof path === "string"
      ? { path }
      : {
          setupRequest: (one) => ({
            ...one,
            path: path(),
            headers: { ...one.headers, "x-forwarded-for": nextClient() },
          }),
        };
  const result = await autocannon({ url, connections, duration: seconds, headers, requests: [request] });
  const name = typeof path === "string" ? path : path();
  if (result.non2xx + result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
  const { total, sent, average } = result.requests;
  if (before) {
    const counted = countsSince(before, await readCounts(url));
    expectWork(`${name}, rendered`, counted.rendered, total, sent);
  }
  return { perSecond: average, p50: result.latency.p50, p99: result.latency.p99, total };
}
