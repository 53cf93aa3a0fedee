import { brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { createPageCache } from "./page-cache.ts";
import type { StoredPage } from "./page-forms.ts";

/** Null: the backend says nothing at all. */
let version: string | Error | null;
let clock: number;
let rendered: string[];
let status: number;
let pageHeaders: HeadersInit;
let pageBytes: number;

const pages = () => open().answer;

const open = () =>
  createPageCache({
    now: () => clock,
    catalogueVersion: async () => {
      if (version instanceof Error) throw version;
      return version ?? new Promise(() => {});
    },
    render: async (request): Promise<StoredPage> => {
      rendered.push(new URL(request.url).pathname);
      const body = new TextEncoder().encode(`<p>${rendered.length}</p>`.padEnd(pageBytes));
      return { status, headers: new Headers(pageHeaders), body };
    },
  });

const get = (path: string, headers: HeadersInit = {}) =>
  new Request(`http://shop.example${path}`, { headers });

beforeEach(() => {
  version = "1";
  clock = 1_000_000;
  rendered = [];
  status = 200;
  pageHeaders = { "Content-Type": "text/html" };
  pageBytes = 0;
});

describe("the page cache", () => {
  it("renders a page once while the catalogue is unchanged", async () => {
    const answer = pages();
    const first = await (await answer(get("/shop?q=a"))).text();
    clock += 10_000;
    expect(await (await answer(get("/shop?q=a"))).text()).toBe(first);
    await answer(get("/shop?q=b"));
    expect(rendered).toHaveLength(2);
  });

  it("renders a page again as soon as the catalogue has changed", async () => {
    const answer = pages();
    await answer(get("/shop"));
    version = "2";
    clock += 1_500;
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps a page no longer than 30 seconds, even if the catalogue is unchanged", async () => {
    const answer = pages();
    await answer(get("/shop"));
    clock += 31_000;
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps at most 64 MB of pages, the most recently requested", async () => {
    const answer = pages();
    pageBytes = 16 * 1024 * 1024;
    for (const query of [1, 2, 3, 4, 1, 5]) await answer(get(`/sitemap.xml?${query}`));
    expect(rendered).toHaveLength(5);
    await answer(get("/sitemap.xml?1"));
    expect(rendered).toHaveLength(5);
    await answer(get("/sitemap.xml?2"));
    expect(rendered).toHaveLength(6);
    version = "2";
    clock += 1_500;
    for (const query of [1, 2, 4, 5, 1, 2, 4, 5]) await answer(get(`/sitemap.xml?${query}`));
    expect(rendered).toHaveLength(10);
  });

  it("does not keep a page larger than the whole cache, nor evict the others for it", async () => {
    const answer = pages();
    await answer(get("/"));
    pageBytes = 65 * 1024 * 1024;
    await answer(get("/sitemap.xml"));
    await answer(get("/sitemap.xml"));
    await answer(get("/"));
    expect(rendered).toEqual(["/", "/sitemap.xml", "/sitemap.xml"]);
  });

  it("keeps nothing while the catalogue's state is unknown", async () => {
    const answer = pages();
    version = new Error("no answer");
    await answer(get("/shop"));
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps no failures, and stops other caches from keeping them", async () => {
    const answer = pages();
    status = 503;
    const response = await answer(get("/shop"));
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps no page that sets a cookie: it is one visitor's own", async () => {
    const answer = pages();
    pageHeaders = { "Content-Type": "text/html", "Set-Cookie": "id=1" };
    await answer(get("/shop"));
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it.each([
    ["refuses to answer", new Error("no answer")],
    ["says nothing", null],
  ])("serves a kept page while the backend %s, for ten minutes", async (_what, silence) => {
    const answer = pages();
    const first = await (await answer(get("/shop"))).text();
    version = silence;
    clock += 60_000;
    expect(await (await answer(get("/shop"))).text()).toBe(first);
    clock += 600_000;
    expect(await (await answer(get("/shop"))).text()).not.toBe(first);
  });

  it("renders a page once more when the backend is back", async () => {
    const answer = pages();
    await answer(get("/shop"));
    version = new Error("no answer");
    clock += 60_000;
    await answer(get("/shop"));
    version = "2";
    await answer(get("/shop"));
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("responds with 304 to a browser that has the page", async () => {
    const answer = pages();
    const tag = (await answer(get("/shop"))).headers.get("ETag") ?? "";
    const again = await answer(get("/shop", { "If-None-Match": tag }));
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  it("compresses for browsers that accept it", async () => {
    const response = await pages()(get("/shop", { "Accept-Encoding": "gzip, deflate, br" }));
    expect(response.headers.get("Content-Encoding")).toBe("br");
    expect(response.headers.get("Vary")).toBe("Accept-Encoding");
    expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe("<p>1</p>");
  });

  it.each([
    ["br;q=0, gzip", "gzip"],
    ["br; Q=0.0", null],
    ["GZIP;q=1, BR;q=0.5", "gzip"],
    ["br;q=0.5, gzip;q=0.5", "br"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["*;q=0", null],
    ["identity, br;q=0.1", null],
    ["identity;q=0, gzip", "gzip"],
    ["x-br, brotli, abr", null],
    ["deflate", null],
    ["", null],
  ])("responds to Accept-Encoding '%s' with %s", async (accepted, encoding) => {
    const response = await pages()(get("/shop", { "Accept-Encoding": accepted }));
    expect(response.headers.get("Content-Encoding")).toBe(encoding);
  });

  it("keeps a page that is requested again, however many others are", async () => {
    const answer = pages();
    await answer(get("/shop"));
    for (let page = 0; page < 1_000; page++) {
      await answer(get(`/search?q=${page}`));
      if (page % 100 === 0) await answer(get("/shop"));
    }
    await answer(get("/shop"));
    expect(rendered.filter((path) => path === "/shop")).toHaveLength(1);
  });

  it("counts a page that is served without waiting as requested", async () => {
    const { answer, kept } = open();
    for (let page = 0; page < 400; page++) await answer(get(`/shop?q=${page}`));
    expect(kept("/shop?q=0", "", undefined)).not.toBeNull();
    await answer(get("/shop?q=400"));
    expect([0, 1].map((page) => kept(`/shop?q=${page}`, "", undefined) !== null)).toEqual([true, false]);
  });

  it("holds at most 400 pages", async () => {
    const answer = pages();
    for (let page = 0; page <= 400; page++) await answer(get(`/shop?q=${page}`));
    for (const page of [400, 1]) await answer(get(`/shop?q=${page}`));
    expect(rendered).toHaveLength(401);
    await answer(get("/shop?q=0"));
    expect(rendered).toHaveLength(402);
  });
});
