import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPageCache } from "./page-cache.ts";
import { Refusal } from "./shared/refusal.ts";

type Options = {
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  headers?: [string, string][];
  cookie?: string;
};

/** A cache whose renderings wait until they are let go, and a clock of its own. */
function open({ cookie, ...options }: Options = {}) {
  const state = { now: 1_000_000, version: "1", isSilent: false, questions: 0, renders: 0, aborted: 0 };
  const waiting: (() => void)[] = [];
  const cache = createPageCache({
    ...options,
    now: () => state.now,
    catalogueVersion: async () => {
      state.questions += 1;
      if (state.isSilent) throw new Error("no answer");
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
  const ask = (path: string, signal?: AbortSignal) =>
    cache.answer(new Request(`http://shop.example${path}`, { signal })).then((response) => response.text());
  /** Lets what is under way go on until nothing moves. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) {
      for (const go of waiting.splice(0)) go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  async function visit(path: string): Promise<string> {
    const page = ask(path);
    await settle();
    return page;
  }
  return { ...cache, state, ask, settle, visit };
}

test("Five hundred visitors who request a page at the same time share one rendering", async () => {
  const { ask, settle, state } = open();
  const pages = Array.from({ length: 500 }, () => ask("/shop"));
  await settle();
  expect(new Set(await Promise.all(pages))).toEqual(new Set(["page 1"]));
  expect(state.renders).toBe(1);
});

test("Visitors who join a rendering need no turn of their own, so that none of them is refused", async () => {
  let running = 0;
  const { ask, settle, state } = open({
    inTurn: async (work) => {
      if (running > 0) throw new Refusal(503, "busy", "Too many");
      running += 1;
      return work().finally(() => {
        running -= 1;
      });
    },
  });
  const pages = Array.from({ length: 500 }, () => ask("/shop"));
  await settle();
  expect(new Set(await Promise.all(pages))).toEqual(new Set(["page 1"]));
  expect(state.renders).toBe(1);
});

test("Another page and another state of the catalogue are rendered separately", async () => {
  const { ask, settle, state } = open();
  const before = [ask("/shop"), ask("/about")];
  await new Promise((resolve) => setImmediate(resolve));
  state.version = "2";
  state.now += 1_001;
  const after = ask("/shop");
  await settle();
  expect(new Set(await Promise.all([...before, after])).size).toBe(3);
});

test("A rendering continues while anyone waits for it, and is aborted when the last one leaves", async () => {
  const { ask, settle, state } = open();
  const [one, two] = [new AbortController(), new AbortController()];
  const pages = Promise.allSettled([ask("/shop", one.signal), ask("/shop", two.signal)]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  one.abort();
  expect(state.aborted).toBe(0);
  two.abort();
  expect(state.aborted).toBe(1);
  const next = ask("/shop");
  expect((await pages).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  // The end of the abandoned rendering does not hide the next one.
  const joined = ask("/shop");
  await settle();
  expect([await next, await joined, state.renders]).toEqual(["page 2", "page 2", 2]);
});

test("A waiting visitor gets the page that another visitor's request rendered, and a refused turn rejects the request", async () => {
  const turns: (() => void)[] = [];
  const { ask, settle, visit, state } = open({
    inTurn: async (work) => {
      if (turns.length > 1) throw new Refusal(503, "busy", "Too many");
      if (state.renders === 1) await new Promise<void>((resolve) => turns.push(resolve));
      return work();
    },
  });
  await visit("/shop");
  state.version = "2";
  state.now += 1_001;
  const [first, second] = [ask("/shop"), ask("/shop")];
  await settle();
  await expect(ask("/shop")).rejects.toThrow(Refusal);
  turns[0]?.();
  await settle();
  expect(await first).toBe("page 2");
  turns[1]?.();
  await settle();
  expect([await second, state.renders]).toEqual(["page 2", 2]);
});

test("A cached page is available in the encodings that were requested, with the headers of every page", async () => {
  const { visit, answer, kept } = open({ headers: [["X-Frame-Options", "DENY"]] });
  expect(kept("/shop", "", undefined)).toBeNull();
  await visit("/shop");
  const plain = kept("/shop", "", undefined);
  expect([plain?.status, plain?.body?.toString()]).toEqual([200, "page 1"]);
  expect(kept("/shop", "br", undefined)).toBeNull();
  const slow = await answer(
    new Request("http://shop.example/shop", { headers: { "Accept-Encoding": "br" } }),
  );
  const br = kept("/shop", "br", undefined);
  expect(brotliDecompressSync(br?.body ?? Buffer.of()).toString()).toBe("page 1");
  const head = Object.fromEntries(
    (br?.head ?? []).flatMap((text, at, all) => (at % 2 === 0 ? [[text, all[at + 1]]] : [])),
  );
  expect(head).toEqual(Object.fromEntries(slow.headers));
  expect(head).toMatchObject({ "x-frame-options": "DENY", "content-encoding": "br" });
  const tag = slow.headers.get("etag") ?? "";
  const unchanged = kept("/shop", "gzip", tag);
  expect([unchanged?.status, unchanged?.body, unchanged?.head.includes(tag)]).toEqual([304, null, true]);
  expect(kept("/shop?q=a", "", undefined)).toBeNull();
});

test("A cached page is not available when it is of another state, too old, or one visitor's own", async () => {
  const { visit, kept, state, settle } = open();
  const isKept = () => kept("/shop", "", undefined) !== null;
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
    expect(aging.kept("/shop", "", undefined)).not.toBeNull();
    aging.state.now += 1_000;
    await aging.settle();
  }
  expect(aging.kept("/shop", "", undefined)).toBeNull();

  const own = open({ cookie: "id=1" });
  await own.visit("/shop");
  expect(own.kept("/shop", "", undefined)).toBeNull();
});

test("While pages are requested, the catalogue's version is read twice a second, one read at a time", async () => {
  const { visit, kept, state, settle } = open();
  await visit("/shop");
  for (let tenth = 0; tenth < 100; tenth += 1) {
    state.now += 100;
    for (let look = 0; look < 5; look += 1) kept("/shop", "", undefined);
    await settle();
  }
  expect(state.questions).toBeGreaterThan(10);
  expect(state.questions).toBeLessThan(22);
});

test("When the backend falls silent, no cached page is available for longer than a second", async () => {
  const { visit, kept, state, settle } = open();
  await visit("/shop");
  state.isSilent = true;
  state.now += 900;
  expect(kept("/shop", "", undefined)).not.toBeNull();
  await settle();
  state.now += 200;
  expect(kept("/shop", "", undefined)).toBeNull();
});
