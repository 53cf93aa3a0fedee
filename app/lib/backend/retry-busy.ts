import { wait } from "./wait.ts";

/** The shop's header on a 503 for a request that timed out in the queue: it was not started, so a retry is always safe. */
const NOT_BEGUN = "X-Not-Begun";
const MAX_ATTEMPTS = 3;
const DEFAULT_SECONDS = 2;

/**
 * `fetch` that retries a request when the shop was too busy to start it. supabase-js retries reads itself.
 */
export function createBusyRetryingFetch(
  send: typeof fetch = (input, init) => fetch(input, init),
  pause: (milliseconds: number) => Promise<void> = wait,
): typeof fetch {
  return async (input, init) => {
    const isRead = /^(GET|HEAD)$/i.test(init?.method ?? "GET");
    for (let attempt = 1; ; attempt += 1) {
      const response = await send(input, init);
      if (isRead || !response.headers.has(NOT_BEGUN) || attempt === MAX_ATTEMPTS) return response;
      const seconds = Number(response.headers.get("Retry-After") ?? DEFAULT_SECONDS);
      // Random, so that clients don't all retry at the same moment.
      await pause(seconds * (1 + Math.random()) * 1_000);
      init?.signal?.throwIfAborted();
    }
  };
}
