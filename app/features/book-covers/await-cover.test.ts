import { expect, it } from "vitest";
import { awaitCover } from "./await-cover.ts";

const origin = "https://shop.example";
let books = 0;

/** A shop that responds with these statuses, one after the other; 0 is an unreachable one. */
function shopOf(...statuses: readonly (number | [status: number, retryAfter: string])[]) {
  const log: string[] = [];
  let sent = 0;
  const send: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const [status, retryAfter] = [statuses[sent] ?? 0].flat() as [number, string?];
    sent += 1;
    log.push(`${init?.method} ${String(input).split("/").at(-1)}`);
    if (status === 0) throw new TypeError("Failed to fetch");
    return new Response(null, { status, headers: retryAfter ? { "Retry-After": retryAfter } : {} });
  };
  const pause = async (milliseconds: number) => {
    log.push(`${milliseconds} ms`);
    leaving?.abort();
  };
  let leaving: AbortController | null = null;
  books += 1;
  const url = `${origin}/covers/book-cover-${books}.jpg/300.webp`;
  const ask = (asked = url, signal = new AbortController().signal) =>
    awaitCover(asked, { signal, origin, send, pause, random: () => 0.5 });
  /** Asks, and leaves the page during the first pause. */
  const askAndLeave = async () => {
    leaving = new AbortController();
    const outcome = await ask(url, leaving.signal);
    leaving = null;
    return outcome;
  };
  return { url, ask, askAndLeave, log };
}

it("finds a cover that was made meanwhile", async () => {
  const { ask, log } = shopOf(200);
  expect(await ask()).toBe(true);
  expect(log).toEqual(["3000 ms", "HEAD 300.webp"]);
});

it("waits as long as the shop asks, and gives up after three requests", async () => {
  const { ask, log } = shopOf([503, "4"], [503, "Sun, 29 Nov 2026 10:00:00 GMT"], [503, "4"], 200);
  expect(await ask()).toBe(false);
  const head = "HEAD 300.webp";
  expect(log).toEqual(["3000 ms", head, "6000 ms", head, "3000 ms", head]);
});

it("waits at most half a minute between requests", async () => {
  const { ask, log } = shopOf([503, "86400"], 200);
  expect(await ask()).toBe(true);
  expect(log.at(2)).toBe("22500 ms");
});

it.each([404, 500, 0])(
  "requests a cover once when the shop has none or can't be reached (%s)",
  async (status) => {
    const { ask, log } = shopOf(status, 200);
    expect(await ask()).toBe(false);
    expect(log).toHaveLength(2);
  },
);

it("requests one cover at a time, and goes on after one that failed", async () => {
  const { url, ask, log } = shopOf([503, "2"], 404, 200);
  const asked = [ask(), ask(url.replace("300", "600"))];
  expect(await Promise.all(asked)).toEqual([false, true]);
  expect(log.filter((line) => line.startsWith("HEAD"))).toEqual([
    "HEAD 300.webp",
    "HEAD 300.webp",
    "HEAD 600.webp",
  ]);
});

it("requests nothing for a page that was left", async () => {
  const { url, ask, askAndLeave, log } = shopOf(200, 200);
  expect(await askAndLeave()).toBe(false);
  const left = new AbortController();
  const asked = ask(url, left.signal);
  left.abort();
  expect(await asked).toBe(false);
  expect(await ask()).toBe(true);
  expect(log.filter((line) => line.startsWith("HEAD"))).toHaveLength(1);
});

it("requests nothing again for a cover that was there and failed even so", async () => {
  const { ask, log } = shopOf(200, 200);
  expect([await ask(), await ask()]).toEqual([true, false]);
  expect(log).toHaveLength(2);
});

it("requests no picture that isn't one of the shop's own sizes of covers", async () => {
  const { ask, log } = shopOf(200);
  for (const other of ["https://covers.example/covers/a.jpg", `${origin}/pictures/home-1-300.avif`, "", "//"])
    expect(await ask(other)).toBe(false);
  expect(log).toEqual([]);
});
