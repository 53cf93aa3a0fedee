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
  /** What every response must be; 2xx unless set. */
  status?: (typeof statuses)[number];
};

const statuses = ["2xx", "3xx", "4xx", "5xx"] as const;

export type PageRate = { perSecond: number; p50: number; p99: number; total: number };

let clients = 0;
/** Gives each request another client address, so that limits per client don't slow it down. */
export const nextClient = () => {
  clients += 1;
  return `2001:db8:${(clients >> 16).toString(16)}:${(clients & 0xffff).toString(16)}::1`;
};

/**
 * Loads pages, compressed, for a fixed time; uncached ones from a different client each.
 * @throws Error if one fails or has another status, or if the shop's count of rendered pages isn't the number sent
 */
export async function loadPages({
  url,
  connections,
  seconds,
  path,
  work,
  status = "2xx",
}: PageLoad): Promise<PageRate> {
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
  const { total, sent, average } = result.requests;
  const others = statuses.reduce((sum, other) => sum + (other === status ? 0 : result[other]), 0);
  if (others + result.errors > 0)
    throw new Error(`${name}: ${others} of another status than ${status}, ${result.errors} failed`);
  if (before) {
    const counted = countsSince(before, await readCounts(url));
    expectWork(`${name}, rendered`, counted.rendered, total, sent);
  }
  return { perSecond: average, p50: result.latency.p50, p99: result.latency.p99, total };
}
