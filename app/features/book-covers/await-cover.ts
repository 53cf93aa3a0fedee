import { wait } from "#app/lib/wait.ts";

const MAX_ATTEMPTS = 3;
/** The shop's own Retry-After, which an <img> that failed doesn't show. */
const DEFAULT_SECONDS = 2;
/** A proxy may name hours; the covers of the next page would wait that long too. */
const MAX_SECONDS = 15;

type AwaitCoverOptions = {
  signal: AbortSignal;
  send?: typeof fetch;
  pause?: (milliseconds: number) => Promise<void>;
  random?: () => number;
};

let last: Promise<unknown> = Promise.resolve();

/** Whether a busy shop may still make the picture at this URL: it makes sizes of covers, and nothing else. */
export function isMadeLater(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin && new URL(url).pathname.startsWith("/covers/");
}

/**
 * Waits for a size of a cover that could not be made in time. It is requested at most three times, after the pause that
 * the shop asks for; the covers of a page wait for one another, so that a busy shop gets one request at a time.
 * @returns whether the picture is there now; false at once when the shop has none, or is unreachable
 */
export function awaitCover(url: string, options: AwaitCoverOptions): Promise<boolean> {
  const made = last.then(() => requestCover(url, options));
  last = made.catch(() => undefined);
  return made;
}

async function requestCover(
  url: string,
  {
    signal,
    send = (input, init) => fetch(input, init),
    pause = wait,
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
