/** A shop's own counts since startup, for all its processes. */
export type ShopCounts = {
  /** Pages rendered for a request. */
  rendered: number;
  /** Requests to the data API. */
  data: number;
};

/** Reads /metrics, which is open to this machine. */
export async function readCounts(url: string): Promise<ShopCounts> {
  // A connection of its own: the shop closes idle ones while a load runs.
  const response = await fetch(`${url}/metrics`, { headers: { connection: "close" } });
  if (!response.ok) throw new Error(`/metrics returned ${response.status}`);
  const lines = (await response.text()).split("\n");
  const sum = (name: string, labels: RegExp) =>
    lines
      .filter((line) => line.startsWith(name) && /[ {]/.test(line[name.length] ?? "") && labels.test(line))
      .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    rendered: sum("shop_page_cache_total", /result="miss"/),
    data: sum("shop_http_request_duration_seconds_count", /route="data"/),
  };
}

/** The difference between two counts. */
export const countsSince = (before: ShopCounts, after: ShopCounts): ShopCounts =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof ShopCounts]]),
  ) as ShopCounts;

/**
 * Fails a measurement whose requests did not do the work stated in its row.
 * @param atLeast how many units of work the responses imply
 * @param atMost the same including requests that were cut off when the time was up
 * @throws Error
 */
export function expectWork(what: string, counted: number, atLeast: number, atMost = atLeast): void {
  if (counted < atLeast || counted > atMost)
    throw new Error(
      `${what}: the shop counted ${counted}, the load implies ${atLeast === atMost ? atLeast : `${atLeast} to ${atMost}`}`,
    );
}
