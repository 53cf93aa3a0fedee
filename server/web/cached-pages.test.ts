import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { Refusal } from "../lib/refusal.ts";
import { createPageCache } from "./page-cache.ts";

type Options = {
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  headers?: [string, string][];
  cookie?: string;
};

/** A cache with its own clock, whose renderings wait until the test releases them. */
function open({ cookie, ...options }: Options = {}) {
  const state = { now: 1_000_000, version: "1", isSilent: false, versionRequests: 0, renders: 0, aborted: 0 };
  const waiting: (() => void)[] = [];
  const cache = createPageCache({
    ...options,
    now: () => state.now,
    catalogueVersion: async () => {
      state.versionRequests += 1;
      if (state.isSilent) throw new Error("no response");
      return state.version;
    },
    render: async ({ signal }) => {
      const number = ++state.renders;
      signal.addEventListener("abort", () => ++state.aborted);
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      const headers = new Headers(cookie ? { "Set-Cookie": cookie } : {});
      return { status: 200, headers, body: new TextEncoder().encode(`page ${number}`) };
    },
  });
  const load = (path: string, signal?: AbortSignal) =>
    cache.respond(new Request(`http://shop.example${path}`, { signal })).then((response) => response.text());
  /** Lets what is under way go on until nothing moves. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) {
      for (const go of waiting.splice(0)) go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  async function visit(path: string): Promise<string> {
    const page = load(path);
    await settle();
    return page;
  }
  return { ...cache, state, load, settle, visit };
}

test("Five hundred visitors who request a page at the same time share one rendering", async () => {
  const { load, settle, state } = open();
  const pages = Array.from({ length: 500 }, () => load("/shop"));
  await settle();
  expect(new Set(await Promise.all(pages))).toEqual(new Set(["page 1"]));
  expect(state.renders).toBe(1);
});

test("Visitors who join a rendering don't queue for a turn, so none of them is refused", async () => {
  let running = 0;
  const { load, settle, state } = open({
    inTurn: async (work) => {
      if (running > 0) throw new Refusal(503, "busy", "Too many");
      running += 1;
      return work().finally(() => {
        running -= 1;
      });
    },
  });
  const pages = Array.from({ length: 500 }, () => load("/shop"));
  await settle();
  expect(new Set(await Promise.all(pages))).toEqual(new Set(["page 1"]));
  expect(state.renders).toBe(1);
});

test("Another page and another state of the catalogue are rendered separately", async () => {
  const { load, settle, state } = open();
  const before = [load("/shop"), load("/about")];
  await new Promise((resolve) => setImmediate(resolve));
  state.version = "2";
  state.now += 1_001;
  const after = load("/shop");
  await settle();
  expect(new Set(await Promise.all([...before, after])).size).toBe(3);
});

test("A rendering continues while anyone waits for it, and is aborted when the last client disconnects", async () => {
  const { load, settle, state } = open();
  const [one, two] = [new AbortController(), new AbortController()];
  const pages = Promise.allSettled([load("/shop", one.signal), load("/shop", two.signal)]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  one.abort();
  expect(state.aborted).toBe(0);
  two.abort();
  expect(state.aborted).toBe(1);
  const next = load("/shop");
  expect((await pages).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  // The end of the abandoned rendering does not hide the next one.
  const joined = load("/shop");
  await settle();
  expect([await next, await joined, state.renders]).toEqual(["page 2", "page 2", 2]);
});

test("A waiting visitor gets the page that another visitor's request rendered, and a refused turn rejects the request", async () => {
  const turns: (() => void)[] = [];
  const { load, settle, visit, state } = open({
    inTurn: async (work) => {
      if (turns.length > 1) throw new Refusal(503, "busy", "Too many");
      if (state.renders === 1) await new Promise<void>((resolve) => turns.push(resolve));
      return work();
    },
  });
  await visit("/shop");
  state.version = "2";
  state.now += 1_001;
  const [first, second] = [load("/shop"), load("/shop")];
  await settle();
  await expect(load("/shop")).rejects.toThrow(Refusal);
  turns[0]?.();
  await settle();
  expect(await first).toBe("page 2");
  turns[1]?.();
  await settle();
  expect([await second, state.renders]).toEqual(["page 2", 2]);
});

test("A cached page is available in the encodings that clients have requested, with the usual headers", async () => {
  const { visit, respond, cached } = open({ headers: [["X-Frame-Options", "DENY"]] });
  expect(cached("/shop", "", undefined)).toBeNull();
  await visit("/shop");
  const plain = cached("/shop", "", undefined);
  expect([plain?.status, plain?.body?.toString()]).toEqual([200, "page 1"]);
  expect(cached("/shop", "br", undefined)).toBeNull();
  const slow = await respond(
    new Request("http://shop.example/shop", { headers: { "Accept-Encoding": "br" } }),
  );
  const br = cached("/shop", "br", undefined);
  expect(brotliDecompressSync(br?.body ?? Buffer.of()).toString()).toBe("page 1");
  const head = Object.fromEntries(
    (br?.head ?? []).flatMap((text, at, all) => (at % 2 === 0 ? [[text, all[at + 1]]] : [])),
  );
  expect(head).toEqual(Object.fromEntries(slow.headers));
  expect(head).toMatchObject({ "x-frame-options": "DENY", "content-encoding": "br" });
  const tag = slow.headers.get("etag") ?? "";
  const unchanged = cached("/shop", "gzip", tag);
  expect([unchanged?.status, unchanged?.body, unchanged?.head.includes(tag)]).toEqual([304, null, true]);
  expect(cached("/shop?q=a", "", undefined)).toBeNull();
});

test("A cached page is not available once the catalogue has changed, after 30 seconds, or if it sets a cookie", async () => {
  const { visit, cached, state, settle } = open();
  const isKept = () => cached("/shop", "", undefined) !== null;
  await visit("/shop");
  expect(isKept()).toBe(true);
  state.now += 600;
  state.version = "2";
  // Read again in the background by this very look.
  expect(isKept()).toBe(true);
  await settle();
  expect(isKept()).toBe(false);
  await visit("/shop");
  expect(isKept()).toBe(true);
  state.now += 1_001;
  expect(isKept()).toBe(false);

  const aging = open();
  await aging.visit("/shop");
  for (let second = 0; second < 30; second += 1) {
    expect(aging.cached("/shop", "", undefined)).not.toBeNull();
    aging.state.now += 1_000;
    await aging.settle();
  }
  expect(aging.cached("/shop", "", undefined)).toBeNull();

  const own = open({ cookie: "id=1" });
  await own.visit("/shop");
  expect(own.cached("/shop", "", undefined)).toBeNull();
});

test("While pages are requested, the catalogue's version is read twice a second, one read at a time", async () => {
  const { visit, cached, state, settle } = open();
  await visit("/shop");
  for (let tenth = 0; tenth < 100; tenth += 1) {
    state.now += 100;
    for (let look = 0; look < 5; look += 1) cached("/shop", "", undefined);
    await settle();
  }
  expect(state.versionRequests).toBeGreaterThan(10);
  expect(state.versionRequests).toBeLessThan(22);
});

test("When the backend stops responding, cached pages are available without waiting for at most a second", async () => {
  const { visit, cached, state, settle } = open();
  await visit("/shop");
  state.isSilent = true;
  state.now += 900;
  expect(cached("/shop", "", undefined)).not.toBeNull();
  await settle();
  state.now += 200;
  expect(cached("/shop", "", undefined)).toBeNull();
});
