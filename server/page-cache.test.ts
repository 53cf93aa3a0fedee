import { brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { createPageCache, type StoredPage } from "./page-cache.ts";

let version: string | Error;
let clock: number;
let rendered: string[];
let status: number;

const pages = () =>
  createPageCache({
    now: () => clock,
    catalogueVersion: async () => {
      if (version instanceof Error) throw version;
      return version;
    },
    render: async (request): Promise<StoredPage> => {
      rendered.push(new URL(request.url).pathname);
      const body = new TextEncoder().encode(`<p>${rendered.length}</p>`);
      return { status, headers: new Headers({ "Content-Type": "text/html" }), body };
    },
  });

const get = (path: string, headers: HeadersInit = {}) =>
  new Request(`http://shop.example${path}`, { headers });

beforeEach(() => {
  version = "1";
  clock = 0;
  rendered = [];
  status = 200;
});

describe("the page cache", () => {
  it("renders a page once while the catalogue stands still", async () => {
    const answer = pages();
    const first = await (await answer(get("/shop?q=a"))).text();
    clock += 10_000;
    expect(await (await answer(get("/shop?q=a"))).text()).toBe(first);
    await answer(get("/shop?q=b"));
    expect(rendered).toHaveLength(2);
  });

  it("renders anew as soon as the catalogue has changed", async () => {
    const answer = pages();
    await answer(get("/shop"));
    version = "2";
    clock += 1_500;
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps a page no longer than 30 seconds even so", async () => {
    const answer = pages();
    await answer(get("/shop"));
    clock += 31_000;
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps nothing while the backend does not say how the catalogue stands", async () => {
    const answer = pages();
    version = new Error("no answer");
    await answer(get("/shop"));
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("keeps no failures, and lets nobody else keep them", async () => {
    const answer = pages();
    status = 503;
    const response = await answer(get("/shop"));
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    await answer(get("/shop"));
    expect(rendered).toHaveLength(2);
  });

  it("answers 304 to a browser that has the page", async () => {
    const answer = pages();
    const tag = (await answer(get("/shop"))).headers.get("ETag") ?? "";
    const again = await answer(get("/shop", { "If-None-Match": tag }));
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  it("compresses for browsers that can take it", async () => {
    const response = await pages()(get("/shop", { "Accept-Encoding": "gzip, deflate, br" }));
    expect(response.headers.get("Content-Encoding")).toBe("br");
    expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe("<p>1</p>");
  });

  it("holds at most 400 pages", async () => {
    const answer = pages();
    for (let page = 0; page <= 400; page++) await answer(get(`/shop?q=${page}`));
    await answer(get("/shop?q=400"));
    expect(rendered).toHaveLength(401);
    await answer(get("/shop?q=0"));
    expect(rendered).toHaveLength(402);
  });
});
