import { brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createPageCache } from "./page-cache.ts";
import type { StoredPage } from "./page-forms.ts";

/** Null: the backend never responds. */
let version: string | Error | null;
let clock: number;
let rendered: string[];
let status: number;
let pageHeaders: HeadersInit;
let pageBytes: number;

const pages = () => open().respond;

const open = (maxBytes?: number) =>
  createPageCache({
    ...(maxBytes ? { maxBytes } : {}),
    isKnown: ({ pathname }) => !pathname.startsWith("/nothing"),
    now: () => clock,
    catalogueVersion: async () => {
      if (version instanceof Error) throw version;
      return version ?? new Promise(() => {});
    },
    render: async (request): Promise<StoredPage> => {
      rendered.push(new URL(request.url).pathname);
      const text = new TextEncoder().encode(`<p>${rendered.length}</p>`);
      const body = new Uint8Array(Math.max(pageBytes, text.length));
      body.set(text);
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
    const respond = pages();
    const first = await (await respond(get("/shop?q=a"))).text();
    clock += 10_000;
    expect(await (await respond(get("/shop?q=a"))).text()).toBe(first);
    await respond(get("/shop?q=b"));
    expect(rendered).toHaveLength(2);
  });

  it("renders a page again as soon as the catalogue has changed", async () => {
    const respond = pages();
    await respond(get("/shop"));
    version = "2";
    clock += 1_500;
    await respond(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("caches a page for at most 30 seconds, even if the catalogue is unchanged", async () => {
    const respond = pages();
    await respond(get("/shop"));
    clock += 31_000;
    await respond(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("evicts the least recently requested pages above its limit in bytes", async () => {
    const { respond } = open(64);
    pageBytes = 16;
    for (const query of [1, 2, 3, 4, 1, 5]) await respond(get(`/sitemap.xml?${query}`));
    expect(rendered).toHaveLength(5);
    await respond(get("/sitemap.xml?1"));
    expect(rendered).toHaveLength(5);
    await respond(get("/sitemap.xml?2"));
    expect(rendered).toHaveLength(6);
    version = "2";
    clock += 1_500;
    for (const query of [1, 2, 4, 5, 1, 2, 4, 5]) await respond(get(`/sitemap.xml?${query}`));
    expect(rendered).toHaveLength(10);
  });

  it("does not cache a page larger than 64 MB or evict others for it", async () => {
    const respond = pages();
    await respond(get("/"));
    pageBytes = 64 * 1024 * 1024 + 1;
    await respond(get("/sitemap.xml"));
    await respond(get("/sitemap.xml"));
    await respond(get("/"));
    expect(rendered).toEqual(["/", "/sitemap.xml", "/sitemap.xml"]);
  });

  it("renders one page for all addresses without a page, however long they are", async () => {
    const respond = pages();
    status = 404;
    const first = await (await respond(get("/nothing/1"))).text();
    const others = ["/nothing/2", "/nothing?q=3", `/nothing/${"4".repeat(700)}`];
    for (const path of others) {
      const response = await respond(get(path));
      expect([response.status, await response.text()]).toEqual([404, first]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
    expect(rendered).toEqual(["/nothing/1"]);
  });

  it("keeps no page of a book that doesn't exist, because there are endlessly many", async () => {
    const respond = pages();
    status = 404;
    for (const id of ["a", "a"]) expect((await respond(get(`/books/${id}`))).status).toBe(404);
    expect(rendered).toEqual(["/books/a", "/books/a"]);
  });

  it("caches nothing while the catalogue's version is unknown", async () => {
    const respond = pages();
    version = new Error("no response");
    await respond(get("/shop"));
    await respond(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("does not cache failures, and sends them with no-store", async () => {
    const respond = pages();
    status = 503;
    const response = await respond(get("/shop"));
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    await respond(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("does not cache a page that sets a cookie", async () => {
    const respond = pages();
    pageHeaders = { "Content-Type": "text/html", "Set-Cookie": "id=1" };
    await respond(get("/shop"));
    await respond(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it.each([
    ["responds with an error", new Error("no response")],
    ["does not respond", null],
  ])("serves a cached page for ten minutes while the backend %s", async (_what, silence) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const respond = pages();
    const read = async () => {
      const response = respond(get("/shop"));
      await vi.advanceTimersByTimeAsync(1_000);
      return (await response).text();
    };
    const first = await read();
    version = silence;
    clock += 60_000;
    expect(await read()).toBe(first);
    clock += 600_000;
    expect(await read()).not.toBe(first);
  });

  it("renders a page again once the backend responds again", async () => {
    const respond = pages();
    await respond(get("/shop"));
    version = new Error("no response");
    clock += 60_000;
    await respond(get("/shop"));
    version = "2";
    await respond(get("/shop"));
    await respond(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("responds with 304 to a browser that has the page", async () => {
    const respond = pages();
    const tag = (await respond(get("/shop"))).headers.get("ETag") ?? "";
    const again = await respond(get("/shop", { "If-None-Match": tag }));
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

  it("does not evict a page that is requested again and again", async () => {
    const respond = pages();
    await respond(get("/shop"));
    for (let page = 0; page < 1_000; page++) {
      await respond(get(`/search?q=${page}`));
      if (page % 100 === 0) await respond(get("/shop"));
    }
    await respond(get("/shop"));
    expect(rendered.filter((path) => path === "/shop")).toHaveLength(1);
  });

  it("does not evict a page that was just served without waiting", async () => {
    const { respond, cached } = open();
    for (let page = 0; page < 400; page++) await respond(get(`/shop?q=${page}`));
    expect(cached("/shop?q=0", "", undefined)).not.toBeNull();
    await respond(get("/shop?q=400"));
    expect([0, 1].map((page) => cached(`/shop?q=${page}`, "", undefined) !== null)).toEqual([true, false]);
  });

  it("caches at most 400 pages", async () => {
    const respond = pages();
    for (let page = 0; page <= 400; page++) await respond(get(`/shop?q=${page}`));
    for (const page of [400, 1]) await respond(get(`/shop?q=${page}`));
    expect(rendered).toHaveLength(401);
    await respond(get("/shop?q=0"));
    expect(rendered).toHaveLength(402);
  });
});
