import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { outboxKey } from "../lib/outbox-key.ts";
import { withRequestId } from "../lib/request-id.ts";
import { readSettings } from "../lib/settings.ts";
import { createSite } from "./site.ts";

type ReceivedRequest = { url: string; headers: Headers; body: number; ip: string | null };

/** The site in front of a backend that responds as the test says, with pages of a single text. */
function open({
  kind = "embedded" as Backend["kind"],
  ready = async () => true,
  respond = () => new Response("from the backend"),
  refusal = null as Response | null,
  pages = async () => new Response("a page", { status: 404 }),
  url = undefined as string | undefined,
  env = {} as NodeJS.ProcessEnv,
  findCover = undefined as Backend["findCover"],
} = {}) {
  const requests: ReceivedRequest[] = [];
  const uploads: ReceivedRequest[] = [];
  const backend: Backend = {
    kind,
    notices: [],
    browserOrigin: null,
    publishableKey: "key",
    call: null,
    closeAccount: null,
    ...(findCover && { findCover }),
    ready,
    stop: async () => {},
    ...(kind === "embedded" && {
      refuseUpload: async ({ url: address, headers, bodyUsed }, ip) => {
        const path = address.replace("http://localhost:3000", "");
        uploads.push({ url: path, headers, body: Number(bodyUsed), ip });
        return refusal;
      },
    }),
    fetch: async (request, ip = null) => {
      const body = (await request.clone().arrayBuffer()).byteLength;
      requests.push({
        url: request.url.replace("http://localhost:3000", ""),
        headers: request.headers,
        body,
        ip,
      });
      return respond();
    },
  };
  const app = createSite({ settings: readSettings(env), backend, pages });
  const sendFrom = (remoteAddress: string) => async (path: string, init?: RequestInit) => {
    const bindings = { incoming: { socket: { remoteAddress }, headers: {}, url }, outgoing: {} };
    return app.fetch(new Request(`http://localhost:3000${path}`, init), bindings as never);
  };
  return { send: sendFrom("203.0.113.9"), sendFrom, requests, uploads };
}

test("Health and readiness are never cached", async () => {
  for (const isReady of [true, false]) {
    const { send } = open({ ready: async () => isReady });
    const [live, ready] = [await send("/healthz"), await send("/readyz")];
    expect([live.status, ready.status]).toEqual([200, isReady ? 200 : 503]);
    expect([await live.json(), await ready.json()]).toEqual([
      { live: true, ready: isReady },
      { ready: isReady },
    ]);
    for (const { headers } of [live, ready]) expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("Without access, the metrics and the outbox are treated like any other page", async () => {
  const { send, requests } = open();
  for (const path of ["/metrics", "/outbox", "/outbox?key=a"])
    expect(await (await send(path)).text()).toBe("a page");
  expect(requests).toEqual([]);
});

test("On this machine the metrics are shown", async () => {
  const response = await open().sendFrom("127.0.0.1")("/metrics");
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining("shop_orders_placed_total"),
  ]);
});

test("The outbox opens with its key", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-site-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const response = await open({ env: { DATA_DIR: dataDir } }).send(`/outbox?key=${await outboxKey(dataDir)}`);
  expect(await response.text()).toContain("No emails yet.");
});

test.each(["http://ama:secret@shop.example/", "HTTPS://a@b/"])("The address %s is refused", async (url) => {
  const response = await open({ url }).send("/shop");
  expect([response.status, await response.text()]).toEqual([400, "Invalid address."]);
});

test.each(["/shop?to=http://a@b/", "http://shop.example/a@b"])("The address %s is accepted", async (url) => {
  expect((await open({ url }).send("/shop")).status).toBe(404);
});

const post = (bytes: number, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: new Uint8Array(bytes),
  headers: { "content-length": String(bytes), ...headers },
});
const most = 128 * 1024;

test("A body has at most 128 KB, and reaches the backend whole with its headers", async () => {
  const { send, requests } = open();
  expect((await send("/rest/v1/orders?a=b", post(most, { apikey: "k" }))).status).toBe(200);
  expect(requests[0]).toMatchObject({ url: "/rest/v1/orders?a=b", body: most, ip: "203.0.113.9" });
  expect(requests[0]?.headers.get("apikey")).toBe("k");
  const large = await send("/rest/v1/orders", post(most + 1));
  expect([large.status, await large.text()]).toEqual([413, "The request is too large."]);
  expect(requests).toHaveLength(1);
});

test("The sender of a large file is checked first, with the headers only", async () => {
  const { send, requests, uploads } = open();
  const path = "/storage/v1/object/book-covers/a%20b.jpg";
  const headers = { authorization: "Bearer t" };
  expect((await send(path, post(most + 1, headers))).status).toBe(200);
  const seen = ({ url, body, ip }: ReceivedRequest) => [url, body, ip];
  expect(uploads.map(seen)).toEqual([[path, 0, "203.0.113.9"]]);
  expect(requests.map(seen)).toEqual([[path, most + 1, "203.0.113.9"]]);
  expect(uploads[0]?.headers.get("authorization")).toBe("Bearer t");
  expect((await send(path, post(6 * 1024 * 1024))).status).toBe(200);
  expect((await send(path, post(6 * 1024 * 1024 + 1))).status).toBe(413);
});

test("A small file and one at another URL need no check, but a file of unknown size does", async () => {
  const { send, requests, uploads } = open();
  await send("/storage/v1/object/book-covers/a.jpg", post(most));
  expect(requests.map(({ url }) => url)).toEqual(["/storage/v1/object/book-covers/a.jpg"]);
  expect(uploads).toEqual([]);
  expect((await send("/x/storage/v1/object/book-covers/a.jpg", post(most + 1))).status).toBe(413);
  const body = new Response(new Uint8Array(10)).body;
  await send("/storage/v1/object/a/b", { method: "POST", body, duplex: "half" } as RequestInit);
  expect(uploads.map(({ url }) => url)).toEqual(["/storage/v1/object/a/b"]);
  expect(requests.at(-1)?.url).toBe("/storage/v1/object/a/b");
});

test("A sender who may not add files is refused before the file arrives, and a hosted project's files are not accepted", async () => {
  const refused = open({ refusal: new Response("No.", { status: 403 }) });
  const response = await refused.send("/storage/v1/object/a/b", post(most + 1));
  expect([response.status, await response.text(), refused.requests.length]).toEqual([403, "No.", 0]);
  const hosted = open({ kind: "hosted" });
  expect((await hosted.send("/storage/v1/object/a/b", post(most + 1))).status).toBe(413);
  expect(hosted.requests).toEqual([]);
});

test("Small covers have few headers, and those of a HEAD request no body", async () => {
  const body = new Uint8Array([1, 2, 3]);
  const cover = {
    id: "a",
    read: async () => null,
    openSize: async () => ({ size: 3, modified: new Date(), body }),
    writeSize: async () => {},
  };
  const names: string[] = [];
  const { send } = open({
    findCover: async (rawName) => {
      names.push(rawName);
      return cover;
    },
  });
  const path = "/covers/a%20b.jpg/300.webp";
  const shown = await send(path);
  expect([shown.status, await shown.bytes()]).toEqual([200, body]);
  expect([...shown.headers.keys()]).toEqual([
    "cache-control",
    "content-length",
    "content-type",
    "etag",
    "vary",
    "x-content-type-options",
  ]);
  const head = await send(path, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "3", ""]);
  expect(names).toEqual(["a%20b.jpg", "a%20b.jpg"]);
  expect(await (await send(path, { method: "POST" })).text()).toBe("a page");
});

test("A failed page shows the request's reference, and is logged without its query", async () => {
  const line = vi.spyOn(log, "error").mockReturnValue();
  const { send } = open({ pages: () => Promise.reject(new TypeError("secret")) });
  const words = "Something went wrong on our side. Please try again in a moment.";
  const plain = await send("/shop?q=secret");
  expect([plain.status, await plain.text()]).toEqual([500, words]);
  const referred = await withRequestId("0123456789ab", () => send("/shop"));
  expect(await referred.text()).toBe(`${words}\nReference: 0123456789ab`);
  expect(line.mock.calls).toEqual(Array(2).fill(["GET /shop failed", { error: "TypeError" }]));
  const abandoned = await send("/shop", { signal: AbortSignal.abort() });
  expect([abandoned.status, line.mock.calls.length]).toEqual([499, 2]);
  line.mockRestore();
});

test.each(["/rest/v1/books", "/auth/v1/user", "/storage/v1/object/a"])(
  "A response of %s is compressed for clients that accept it",
  async (path) => {
    const text = "a long response ".repeat(200);
    const { send } = open({
      respond: () => new Response(text, { headers: { "content-type": "application/json" } }),
    });
    const packed = await send(path, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(text);
    const plain = await send(path);
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, text]);
  },
);

test("Unread files fill only their own client's share, and each of this machine's addresses has its own", async () => {
  const size = 13 * 1024 * 1024;
  const headers = { "content-length": String(size) };
  const { sendFrom } = open({ respond: () => new Response(new Uint8Array(size), { headers }) });
  const statuses = [];
  for (const ip of ["2001:db8::1", "2001:db8::2", "127.0.0.1", "127.0.0.1"])
    statuses.push((await sendFrom(ip)("/storage/v1/object/a")).status);
  expect(statuses).toEqual([200, 503, 200, 503]);
});
