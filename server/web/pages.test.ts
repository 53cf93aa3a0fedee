import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openLoop, settleAll } from "#tests/support/event-loop.ts";
import { eventually } from "#tests/support/eventually.ts";
import type { Backend } from "../api/backend.ts";
import { log } from "../lib/log.ts";
import { LoopTurns } from "../lib/loop-turns.ts";
import { withRequestId } from "../lib/request-id.ts";
import { readSettings } from "../lib/settings.ts";
import { servedFromBuild } from "./pages.ts";

/** As long as a busy machine may take. */
const waitFor = (check: () => unknown, interval = 50) => eventually(check, { timeout: 10_000, interval });

type Dependencies = {
  backendUrl: string;
  publishableKey: string;
  siteUrl: string;
  fetch: typeof fetch;
  logError: unknown;
};
type Page = (request: Request, context: { state: string | null; place: string }) => Promise<Response>;

/** Stands in for the build: it records its arguments, and the test makes its pages. */
const build = {
  page: (async () => new Response("a page")) as Page,
  mode: "",
  dependencies: {} as Dependencies,
};
const documents = new WeakMap<Response, Buffer>();
vi.doMock(join(import.meta.dirname, "../../build/server/index.js"), () => ({
  assets: { version: "today" },
  entry: {
    module: {
      createRequestHandler: (_: unknown, mode: string) => {
        build.mode = mode;
        return async (...details: Parameters<Page>) => {
          const response = await build.page(...details);
          const isHtml = response.headers.get("Content-Type")?.startsWith("text/html");
          if (isHtml && response.body)
            documents.set(response, Buffer.from(await response.clone().arrayBuffer()));
          return response;
        };
      },
      createAddressCheck: () => (pathname: string) => !pathname.startsWith("/nothing"),
      showingShop: (_: unknown, handle: () => unknown) => handle(),
      documentOf: (response: Response) => documents.get(response),
      createRequestContexts: (dependencies: Dependencies) => {
        build.dependencies = dependencies;
        return (state: string | null, place: string) => ({ state, place });
      },
    },
  },
}));

type ReceivedRequest = { request: Request; clientIp: string | null | undefined; pool: string | undefined };

/** The pages in front of a backend that records its requests. */
async function open(
  page: Page,
  { browserOrigin = null as string | null, respond = () => Response.json("7") } = {},
) {
  build.page = page;
  const requests: ReceivedRequest[] = [];
  const backend: Backend = {
    kind: "embedded",
    notices: [],
    browserOrigin,
    publishableKey: "key",
    ready: async () => true,
    call: null,
    closeAccount: null,
    stop: async () => {},
    fetch: async (request, clientIp, pool) => {
      requests.push({ request, clientIp, pool });
      return respond();
    },
  };
  const { pages, before } = await servedFromBuild(
    readSettings({ SITE_URL: "https://shop.example" }),
    backend,
  );
  // The shop's settings, which are read before the first page.
  requests.length = 0;
  const get = (path = "/shop", clientIp = "203.0.113.9", init: RequestInit = {}) =>
    pages(new Request(`https://shop.example${path}`, init), clientIp);
  return { get, requests, before };
}

const html = (text: string, init: ResponseInit = {}) =>
  new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" }, ...init });

test("A page is rendered for the catalogue's state, which is read from the backend with the public key", async () => {
  const made: unknown[] = [];
  const { get, requests } = await open(async (request, context) => {
    made.push([new URL(request.url).pathname, context]);
    return html("<p>a page</p>");
  });
  expect(await (await get()).text()).toBe("<p>a page</p>");
  expect(made).toEqual([["/shop", { state: '"7"', place: "203.0.113.9" }]]);
  const { url, method, headers } = requests[0]?.request ?? new Request("http://none");
  expect([url, method, headers.get("apikey"), headers.get("content-type")]).toEqual([
    "http://backend/rest/v1/rpc/catalogue_version",
    "POST",
    "key",
    "application/json",
  ]);
  expect(await requests[0]?.request.text()).toBe("{}");
});

test("Pages come from the finished build, with the settings of the shop and of its backend", async () => {
  await open(async () => html("a"));
  expect(build.mode).toBe("production");
  expect(build.dependencies).toMatchObject({
    backendUrl: "",
    publishableKey: "key",
    siteUrl: "https://shop.example",
    logError: log.error,
  });
  const { get, requests } = await open(async () => html("a"), { browserOrigin: "https://p.example" });
  expect(build.dependencies.backendUrl).toBe("https://p.example");
  const { headers } = await get();
  expect(headers.get("content-security-policy")).toContain("connect-src 'self' https://p.example");
  expect(requests[0]?.request.url).toBe("https://p.example/rest/v1/rpc/catalogue_version");
});

test("While the catalogue's state is unknown, pages are rendered but not cached", async () => {
  let made = 0;
  const { get } = await open(
    async (_, { state }) => {
      made += 1;
      return html(`state ${state}`);
    },
    { respond: () => new Response("7", { status: 503 }) },
  );
  for (let n = 0; n < 2; n += 1) expect(await (await get()).text()).toBe("state null");
  expect(made).toBe(2);
});

test("The site handles every request when there is a finished build", async () => {
  const { before } = await open(async () => html("a"));
  const next = vi.fn();
  before({} as never, {} as never, next);
  expect(next).toHaveBeenCalledOnce();
});

test("A page's policy has the hashes of its own scripts, and other responses have none", async () => {
  const hash = createHash("sha256").update("run()").digest("base64");
  const page = await open(async () => html("<script>run()</script>"));
  const { headers } = await page.get();
  expect(headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  expect(headers.get("content-security-policy")).not.toContain("ws:");
  for (const response of [
    () => new Response("<script>run()</script>", { headers: { "Content-Type": "text/plain" } }),
    () => new Response(new Uint8Array([60])),
    () => html(null as unknown as string),
  ]) {
    const other = await open(async () => response());
    expect((await other.get()).headers.has("content-security-policy")).toBe(false);
  }
});

test("A response without a body stays without one, with its own headers", async () => {
  const { get } = await open(async () => new Response(null, { status: 302, headers: { location: "/a" } }));
  const response = await get();
  expect([response.status, response.headers.get("location"), await response.text()]).toEqual([302, "/a", ""]);
});

test("An error page shows its request's id in the place for it, and other pages do not", async () => {
  const body = '<p class="a">b</p><p class="c" id="error-reference" hidden></p><i id="error-reference"></i>';
  for (const [status, reference] of [
    [500, "Reference: 0123456789ab"],
    [503, "Reference: 0123456789ab"],
    [499, ""],
    [200, ""],
  ] as const) {
    const { get } = await open(async () => html(body, { status }));
    const response = await withRequestId("0123456789ab", () => get(`/${status}`));
    expect(await response.text()).toBe(body.replace("hidden>", `hidden>${reference}`));
  }
  const { get } = await open(async () => html('<p id="error-reference"></p>', { status: 500 }));
  expect(await (await get("/a")).text()).toBe('<p id="error-reference">Reference: none</p>');
  const empty = await open(async () => new Response(null, { status: 500 }));
  expect(await (await empty.get("/b")).text()).toBe("");
});

test("A page's reads carry the browser's address and time out after 13.5 seconds", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const leaving = new AbortController();
  const { get, requests } = await open(async () => {
    const { signal } = leaving;
    await build.dependencies.fetch("https://shop.example/rest/v1/books", {
      headers: { apikey: "key" },
      signal,
    });
    return html("a page");
  });
  await get("/shop", "2001:db8::1");
  const { request, clientIp, pool } = requests.find(({ request }) =>
    request.url.endsWith("/books"),
  ) as ReceivedRequest;
  expect([request.url, request.headers.get("apikey")]).toEqual(["https://shop.example/rest/v1/books", "key"]);
  expect([clientIp, pool]).toEqual(["2001:db8::1", "page"]);
  // The shop's settings before the first page, the page's own reads, the catalogue's state, and its settings.
  expect(timeout.mock.calls).toEqual([[3_000], [13_500], [3_000], [3_000]]);
  timeout.mockRestore();
  expect(request.signal.aborted).toBe(false);
  leaving.abort();
  expect(request.signal.aborted).toBe(true);
});

test("sends Retry-After with each 503 page and data response, unless the page names its own", async () => {
  for (const [status, own, expected] of [
    [503, {}, "3"],
    [503, { "Retry-After": "5" }, "5"],
    [500, {}, null],
    [200, {}, null],
  ] as const) {
    const { get } = await open(async ({ url }) =>
      url.includes(".data")
        ? new Response("[]", { status, headers: { "Content-Type": "text/x-script", ...own } })
        : html("a page", { status, headers: { "Content-Type": "text/html; charset=utf-8", ...own } }),
    );
    for (const path of ["/shop", "/shop.data"])
      expect((await get(path)).headers.get("retry-after")).toBe(expected);
  }
});

test("gives all reads of a page one deadline, which starts when its request arrives", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => void timeout.mockRestore());
  const deadlines: [milliseconds: number, deadline: AbortController][] = [];
  timeout.mockImplementation((milliseconds) => {
    const deadline = new AbortController();
    deadlines.push([milliseconds, deadline]);
    return deadline.signal;
  });
  const { get, requests } = await open(async () => {
    for (const name of ["books", "counts"])
      await build.dependencies.fetch(`https://shop.example/rest/v1/${name}`);
    return html("a page");
  });
  deadlines.length = 0;
  await get("/shop");
  const ofPage = deadlines.filter(([milliseconds]) => milliseconds === 13_500);
  expect(ofPage).toHaveLength(1);
  expect(deadlines[0]).toBe(ofPage[0]);
  ofPage[0]?.[1].abort();
  const reads = requests.filter(({ request }) => /\/(books|counts)$/.test(request.url));
  expect(reads.map(({ request }) => request.signal.aborted)).toEqual([true, true]);
});

/** Pages that finish rendering only when the test releases them. */
async function openSlow() {
  const waiting: (() => void)[] = [];
  const places: string[] = [];
  const { get } = await open((_, { place }) => {
    places.push(place);
    return new Promise((resolve) => waiting.push(() => resolve(html("a page"))));
  });
  return { get, waiting, places };
}

test("A client gets two pages rendered at a time; hundreds more wait, and all are served", async () => {
  const { get, waiting, places } = await openSlow();
  const all = Array.from({ length: 400 }, (_, n) => get(`/${n}`));
  await waitFor(() => expect(places).toEqual(["203.0.113.9", "203.0.113.9"]));
  const other = get("/other", "198.51.100.1");
  await waitFor(() => expect(places[2]).toEqual("198.51.100.1"));
  for (let n = 0; n < 401; n += 1) {
    await waitFor(() => expect(waiting.length).toBeGreaterThan(n), 1);
    waiting[n]?.();
  }
  const statuses = (await Promise.all([...all, other])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("At most eight pages are rendered at a time, however many clients there are", async () => {
  const { get, waiting } = await openSlow();
  const all = Array.from({ length: 80 }, (_, n) => get(`/${n}`, `198.51.100.${n + 1}`));
  for (let n = 0; n < 80; n += 1) {
    await waitFor(() => expect(waiting).toHaveLength(Math.min(80, n + 8)), 1);
    waiting[n]?.();
  }
  expect((await Promise.all(all)).every(({ status }) => status === 200)).toBe(true);
});

test("A page that has waited for ten seconds gets a one-line 503 that makes the browser reload it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { get, waiting } = await openSlow();
  const running = [get("/1"), get("/2")];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  while (waiting.length < 2) await turn();
  const late = [get("/late?a=1"), get("/late.data?a=1&_routes=root")];
  for (let turns = 0; turns < 10; turns += 1) await turn();
  vi.advanceTimersByTime(10_000);
  const [refused, data] = (await Promise.all(late)) as [Response, Response];
  const headers = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));
  expect([refused.status, await refused.text()]).toEqual([
    503,
    "The shop is busy. Please try again in a moment.",
  ]);
  expect(headers(refused, "retry-after", "refresh", "cache-control", "content-type")).toEqual([
    "3",
    "3",
    "no-store",
    "text/plain; charset=utf-8",
  ]);
  // The router opens the page as a new document, which the browser then reloads.
  expect([data.status, ...headers(data, "x-remix-redirect", "x-remix-reload-document")]).toEqual([
    204,
    "/late?a=1",
    "true",
  ]);
  for (const finish of waiting) finish();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
});

test("A client is an IPv4 address or an IPv6 network, or this machine", async () => {
  const { get, waiting, places } = await openSlow();
  const ips = ["203.0.113.9", "2001:db8::1", "127.0.0.1"];
  const all = ips.map((ip, n) => get(`/${n}`, ip));
  await waitFor(() => expect(waiting).toHaveLength(3));
  for (const finish of waiting) finish();
  await Promise.all(all);
  expect(places).toEqual(["203.0.113.9", "2001:db8:0:0", "127.0.0.1"]);
});

test("A page is not rendered once its client has disconnected, and a failure is passed on unchanged", async () => {
  const { get, waiting } = await openSlow();
  const first = [get("/1"), get("/2")];
  await waitFor(() => expect(waiting).toHaveLength(2));
  const leaving = new AbortController();
  const abandoned = get("/3", "203.0.113.9", { signal: leaving.signal });
  await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  expect((await abandoned).status).toBe(503);
  for (const finish of waiting) finish();
  await Promise.all(first);
  expect(waiting).toHaveLength(2);
  const failing = await open(() => Promise.reject(new TypeError("broken")));
  await expect(failing.get()).rejects.toThrow("broken");
});

test("renders one page of a client in each turn, also those that have waited for others to be rendered", async () => {
  let rendered = 0;
  const books = Promise.withResolvers<void>();
  const { get } = await open(async () => {
    rendered += 1;
    await books.promise;
    return html("a");
  });
  const { loop, iterate } = openLoop({ settle: settleAll, msEach: 2 });
  const turns = new LoopTurns(loop);
  const responses: Promise<unknown>[] = [];
  for (let n = 0; n < 12; n += 1) {
    const request = () => void responses.push(get(`/shop?q=${n}`));
    turns.admit("203.0.113.9", request, () => {});
  }
  for (let turn = 0; turn < 14; turn += 1) await iterate();
  expect([responses.length, rendered]).toEqual([12, 2]);
  books.resolve();
  await settleAll();
  expect(rendered).toBe(2);
  for (let turn = 0; turn < 10; turn += 1) {
    const before = rendered;
    await iterate();
    expect(rendered - before).toBeLessThanOrEqual(1);
  }
  await Promise.all(responses);
  expect(rendered).toBe(12);
});
