import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { register } from "prom-client";
import { expect, test } from "vitest";
import { plainEmail } from "../lib/email-address.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { createPageCache } from "./page-cache.ts";

/** A page cache with its own clock. */
function open(page: { status?: number; headers?: HeadersInit; body?: string | null } = {}) {
  const state = { now: 0, version: "1", renders: 0, versionRequests: 0 };
  const { status = 200, headers = {}, body = "<p>page</p>" } = page;
  const { respond } = createPageCache({
    now: () => state.now,
    catalogueVersion: async () => {
      state.versionRequests += 1;
      return state.version;
    },
    render: async () => {
      state.renders += 1;
      const bytes = body === null ? null : new TextEncoder().encode(body);
      return { status, headers: new Headers(headers), body: bytes };
    },
  });
  const get = (path: string, requestHeaders: HeadersInit = {}, method = "GET") =>
    respond(new Request(`http://shop.example${path}`, { method, headers: requestHeaders }));
  return { get, state };
}

test("A page has its type, its cache lifetime and its length", async () => {
  const { headers } = await open().get("/shop");
  const tag = createHash("sha256").update("<p>page</p>").digest("base64url").slice(0, 22);
  expect(Object.fromEntries(headers)).toEqual({
    vary: "Accept-Encoding",
    etag: `W/"${tag}"`,
    "cache-control": "public, max-age=0, must-revalidate",
    "content-length": "11",
  });
  const own = { "Cache-Control": "private" };
  expect((await open({ headers: own }).get("/shop")).headers.get("cache-control")).toBe("private");
  const failed = await open({ status: 404, headers: own }).get("/shop");
  expect([failed.status, failed.headers.get("cache-control"), failed.headers.get("etag")]).toEqual([
    404,
    "private",
    null,
  ]);
});

test("The response to a HEAD request, or for a page without a body, has no body", async () => {
  const led = await open({ status: 302, headers: { location: "/" }, body: null }).get("/old");
  expect([led.status, led.headers.get("location"), led.headers.get("content-length")]).toEqual([
    302,
    "/",
    null,
  ]);
  const { get, state } = open();
  const head = await get("/shop", {}, "HEAD");
  expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", null]);
  await get("/shop", {}, "HEAD");
  expect([state.renders, state.versionRequests]).toEqual([2, 0]);
});

test("Only GET and HEAD responses are cached, under URLs of bounded length", async () => {
  const { get, state } = open();
  await get("/shop", {}, "POST");
  await get("/shop", {}, "POST");
  expect(state.renders).toBe(2);
  for (const [length, renders] of [
    [600, 1],
    [601, 2],
  ] as const) {
    const long = open();
    for (let time = 0; time < 2; time += 1) await long.get(`/${"a".repeat(length - 1)}`);
    expect([length, long.state.renders]).toEqual([length, renders]);
  }
});

test("The catalogue's version is read at most once a second, not for every page", async () => {
  const { get, state } = open();
  await get("/a");
  state.now += 1_000;
  await get("/b");
  expect(state.versionRequests).toBe(1);
  state.now += 1;
  await get("/c");
  expect(state.versionRequests).toBe(2);
});

test("A cached page is compressed once per encoding, and reads back unchanged", async () => {
  const { get } = open({ body: "a".repeat(2_000) });
  const packed = await get("/shop", { "Accept-Encoding": "gzip" });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect([gunzipSync(bytes).toString(), packed.headers.get("content-length")]).toEqual([
    "a".repeat(2_000),
    String(bytes.byteLength),
  ]);
  const again = await get("/shop", { "Accept-Encoding": "gzip" });
  expect(Buffer.from(await again.arrayBuffer())).toEqual(bytes);
  const plain = await get("/shop", { "Accept-Encoding": "gzip;q=0.5, br;q=0.2, identity;q=0.4" });
  expect(plain.headers.get("content-encoding")).toBe("gzip");
});

test("Cached pages are counted separately from rendered ones", async () => {
  register.resetMetrics();
  const { get } = open();
  for (let time = 0; time < 3; time += 1) await get("/shop");
  const text = await register.metrics();
  expect(text).toContain('shop_page_cache_total{result="hit"} 2');
  expect(text).toContain('shop_page_cache_total{result="miss"} 1');
});

test("A page's content security policy is one line that names every kind of content", () => {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const html = `<script>a</script><script src="/b.js"></script><script type="module">c</script><script>a</script>`;
  const policy = (script: string, images: string, connect: string) =>
    [
      "default-src 'self'",
      `script-src 'self' ${script}`,
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' data: blob: https:${images}`,
      "font-src 'self'",
      `connect-src 'self'${connect}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "worker-src 'self' blob:",
    ].join("; ");
  expect(contentSecurityPolicy(Buffer.from(html), { backend: null, development: false })).toBe(
    policy(`${hash("a")} ${hash("c")}`, "", ""),
  );
  const backend = "https://p.example/http";
  expect(contentSecurityPolicy(Buffer.from("<script></script>"), { backend, development: true })).toBe(
    policy(hash(""), ` ${backend}`, ` ${backend} wss://p.example/http ws: wss:`),
  );
});

const labels = (length: number) =>
  Array(Math.ceil(length / 50))
    .fill("a".repeat(49))
    .join(".")
    .slice(0, length);

test.each([
  [`${"a".repeat(64)}@b.example`, true],
  [`${"a".repeat(65)}@b.example`, false],
  [`a@${labels(248)}.gh`.slice(0, 254), true],
  [`aaaa@${labels(247)}.gh`, false],
  ["a@b@c.example", false],
  ["a@b.example@", false],
  ["a", false],
  ["@b.example", false],
  ["a@", false],
  ["a@b.c1", true],
  ["a@b.1c", true],
  ["a@b.12", false],
  ["a@1.b.example", true],
  ["a@12", false],
])("%j is an email address: %s", (typed, is) => {
  expect(plainEmail(typed) !== null).toBe(is);
});
