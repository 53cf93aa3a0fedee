/*
 * This module has no imports, because the list of files that a lazy module needs is part of every first load with covers.
 */

const MAX_ATTEMPTS = 3;
/** The shop's own Retry-After, which an <img> that failed doesn't show. */
const DEFAULT_SECONDS = 2;
/** A proxy may name hours; the covers of the next page would wait that long too. */
const MAX_SECONDS = 15;

type AwaitCoverOptions = {
  signal: AbortSignal;
  origin?: string;
  send?: typeof fetch;
  pause?: (milliseconds: number) => Promise<void>;
  random?: () => number;
};

let last: Promise<unknown> = Promise.resolve();
/** Covers that were there: one that fails even so, a damaged one for example, isn't waited for again. */
const made = new Set<string>();

/**
 * Waits for a size of a cover that could not be made in time. It is requested at most three times, after the pause that
 * the shop asks for; the covers of a page wait for one another, so that a busy shop gets one request at a time.
 * @returns whether the picture is there now; false at once for anything that the shop doesn't make, false when it has none
 * or is unreachable
 */
export function awaitCover(url: string, options: AwaitCoverOptions): Promise<boolean> {
  const { origin = window.location.origin } = options;
  const address = URL.parse(url);
  if (made.has(url) || address?.origin !== origin || !address.pathname.startsWith("/covers/"))
    return Promise.resolve(false);
  const asked = last.then(() => requestCover(url, options));
  last = asked.then(
    (isMade) => isMade && made.add(url),
    () => undefined,
  );
  return asked;
}

async function requestCover(
  url: string,
  {
    signal,
    send = (input, init) => fetch(input, init),
    pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    random = Math.random,
  }: AwaitCoverOptions,
): Promise<boolean> {
  let seconds = DEFAULT_SECONDS;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && !signal.aborted; attempt += 1) {
    // Random, so that the browsers of a full class don't all come back at the same moment.
    await pause(seconds * (1 + random()) * 1_000);
    const response = await send(url, { method: "HEAD", signal }).catch(() => null);
    if (response?.status !== 503) return response?.ok ?? false;
    seconds = Math.min(Number(response.headers.get("Retry-After")) || DEFAULT_SECONDS, MAX_SECONDS);
  }
  return false;
}
