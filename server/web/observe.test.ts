import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { register } from "prom-client";
import { describe, expect, test, vi } from "vitest";
import { createLog } from "../lib/log.ts";
import { currentRequestId } from "../lib/request-id.ts";
import type { Settings } from "../lib/settings.ts";
import { countPage, countRequest, countRestarts, metricsPage, showShopState } from "./metrics.ts";
import { createObserver } from "./observe.ts";

type Line = Record<string, unknown>;

/** What is logged of one request. */
function observe(
  url: string | undefined,
  accessLog: Settings["accessLog"],
  isFinished = true,
  requestHeaders: Record<string, string> = {},
  remoteAddress = "203.0.113.9",
) {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const socket = { bytesWritten: 100, remoteAddress };
  const incoming = {
    url,
    headers: requestHeaders,
    socket,
    ...(url ? { method: "POST" } : {}),
  } as unknown as IncomingMessage;
  const headers: Record<string, string> = {};
  const response = Object.assign(new EventEmitter(), {
    statusCode: 201,
    writableFinished: isFinished,
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
  });
  let inside: string | undefined;
  const observer = createObserver(
    { accessLog, siteUrl: "http://localhost:3000", trustedProxies: [] },
    createLog({ write }, { write }),
  );
  observer(incoming, response as unknown as ServerResponse, () => {
    inside = currentRequestId();
  });
  socket.bytesWritten = 142;
  response.emit("close");
  return { lines, headers, inside };
}

test("A request has its own id, in its header, its log lines and all that it starts", () => {
  const { lines, headers, inside } = observe("/shop?q=atlas#x", "on");
  expect(inside).toMatch(/^[0-9a-f]{12}$/);
  expect(headers).toEqual({ "x-request-id": inside });
  expect(lines).toEqual([
    {
      time: expect.any(String),
      level: "info",
      request: inside,
      message: "request",
      method: "POST",
      path: "/shop",
      status: 201,
      ms: expect.any(Number),
      bytes: 42,
    },
  ]);
  expect(lines[0]?.ms).toBeLessThan(10_000);
});

test("The access log has IP addresses only if the owner turns them on, and is off by default", () => {
  expect(observe("/shop", "ip").lines[0]).toMatchObject({ ip: "203.0.113.9" });
  expect(observe("/shop", "off").lines).toEqual([]);
});

test("An aborted request is logged as such", () => {
  expect(observe("/shop", "on", false).lines[0]).toMatchObject({ status: 201, aborted: true });
});

test.each([
  ["/outbox?key=secret", "/outbox"],
  ["/outbox/secret", "/outbox"],
  [`/${"a".repeat(199)}`, `/${"a".repeat(199)}`],
  [`/${"a".repeat(200)}`, `/${"a".repeat(199)}…`],
  ["http://shop.example/shop?q=a", "/shop"],
  ["http://shop.example", "/"],
  ["/a?b\nc", "/a"],
  ["/go/http://shop.example/a", "/go/http://shop.example/a"],
  [undefined, "/"],
])("The path of %j is logged as %j", (url, path) => {
  expect(observe(url, "on").lines[0]).toMatchObject({ path, method: url ? "POST" : "GET" });
});

test("A request is counted with its seconds", async () => {
  register.resetMetrics();
  const clock = vi.spyOn(performance, "now").mockReturnValueOnce(1_000).mockReturnValueOnce(2_500);
  observe("/shop", "off");
  clock.mockRestore();
  expect(await register.metrics()).toContain(
    'shop_http_request_duration_seconds_sum{route="page",status="201"} 1.5',
  );
});

test("A proxy on this machine that is not in TRUSTED_PROXIES causes a warning in the log", () => {
  const { lines } = observe("/shop", "off", true, { "x-forwarded-for": "198.51.100.1" }, "127.0.0.1");
  expect(lines).toMatchObject([
    { level: "warn", message: expect.stringContaining("TRUSTED_PROXIES=127.0.0.1") },
  ]);
});

test("Requests are counted by kind of URL, orders and pages separately", async () => {
  register.resetMetrics();
  for (const [path, route] of [
    ["/rest/v1/books", "data"],
    ["/a/rest/v1/books", "page"],
    ["/auth/v1/token", "accounts"],
    ["/a/auth/v1/token", "page"],
    ["/storage/v1/object", "storage"],
    ["/a/storage/v1/object", "page"],
    ["/healthz", "health"],
    ["/readyz", "health"],
    ["/metrics", "health"],
    ["/metrics/a", "page"],
    ["/a/metrics", "page"],
    ["/assets/a.js", "asset"],
    ["/a/assets/a.js", "page"],
    ["/favicon.svg", "asset"],
    ["/shop/favicon.svg", "page"],
    ["/favicon.svg/", "page"],
    ["/shop", "page"],
    ["/%73torage/v1/object", "storage"],
    ["/shop%", "page"],
  ] as const) {
    countRequest("GET", path, 200, 0.1);
    const text = await register.metrics();
    expect(text, path).toContain(`shop_http_request_duration_seconds_count{route="${route}",status="200"}`);
    register.resetMetrics();
  }
  countRequest("POST", "/rest/v1/%6frders", 201, 0.2);
  for (let time = 0; time < 2; time += 1) countRequest("GET", "/rest/v1/orders", 201, 0.2);
  for (let time = 0; time < 3; time += 1) countRequest("POST", "/rest/v1/orders", 409, 0.5);
  for (let time = 0; time < 4; time += 1) countRequest("POST", "/rest/v1/books", 201, 0.2);
  countPage("hit");
  countRestarts(2);
  const text = await register.metrics();
  for (const line of [
    "# HELP shop_http_request_duration_seconds Time until a response was sent, by kind of address and status",
    'shop_http_request_duration_seconds_bucket{le="0.25",route="data",status="201"} 7',
    'shop_http_request_duration_seconds_sum{route="data",status="409"} 1.5',
    "# HELP shop_orders_placed_total Orders placed since the start",
    "shop_orders_placed_total 1",
    "# HELP shop_page_cache_total Pages served from memory (hit) or rendered (miss)",
    'shop_page_cache_total{result="hit"} 1',
    "# HELP shop_restarts_total Times that the shop's process ended unexpectedly, or stopped responding, and was started again",
    "shop_restarts_total 2",
    "process_cpu_seconds_total",
  ])
    expect(text).toContain(line);
});

const local = { siteUrl: "http://localhost:3000", metricsKey: null };
const requestWith = (headers: Record<string, string> = {}, remoteAddress: string | undefined = "127.0.0.1") =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

test("The metrics are shown only on this machine or with the key", async () => {
  const response = await metricsPage(requestWith(), local);
  expect(response?.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(response?.headers.get("cache-control")).toBe("no-store");
  expect(await response?.text()).toContain("shop_orders_placed_total");
  const keyed = { siteUrl: "https://shop.example", metricsKey: "0123456789abcdef" };
  expect(
    await metricsPage(requestWith({ authorization: "Bearer 0123456789abcdef" }, "203.0.113.9"), keyed),
  ).not.toBeNull();
  for (const authorization of ["Bearer 0123456789abcdeX", "0123456789abcdef", ""])
    expect(await metricsPage(requestWith({ authorization }), keyed)).toBeNull();
  expect(await metricsPage(requestWith(), keyed)).toBeNull();
});

test.each([
  ["another machine", requestWith({}, "203.0.113.9"), local],
  ["an address that only begins so", requestWith({}, "127.0.0.1.example"), local],
  ["an address that only ends so", requestWith({}, "a127.0.0.1"), local],
  ["nobody", requestWith({}, ""), local],
  ["a shop with an address of its own", requestWith(), { ...local, siteUrl: "https://shop.example" }],
  ["a proxy: Forwarded", requestWith({ forwarded: "for=a" }), local],
  ["a proxy: Via", requestWith({ via: "1.1 a" }), local],
  ["a proxy: X-Real-IP", requestWith({ "x-real-ip": "a" }), local],
  ["a proxy: X-Forwarded-Proto", requestWith({ host: "a", "x-forwarded-proto": "http" }), local],
])("The metrics are not shown to %s", async (_, incoming, settings) => {
  expect(await metricsPage(incoming, settings)).toBeNull();
});

test.each([
  ["127.0.0.1", "http://localhost:3000", {}],
  ["127.12.0.13", "http://127.0.0.1:3000", {}],
  ["::1", "http://[::1]:3000", {}],
  ["::ffff:127.0.0.10", "http://localhost", { via2: "a", "a-via": "b" }],
])("The metrics are shown to %s at %s", async (peer, siteUrl, headers) => {
  expect(
    await metricsPage(requestWith(headers as Record<string, string>, peer), { ...local, siteUrl }),
  ).not.toBeNull();
});

const idle = { running: 0, waiting: 0, timedOut: 0, full: 0 };
const metrics = {
  connections: { requests: { inUse: 3, most: 12 }, own: { inUse: 1, most: 2 } },
  limits: {
    shop: idle,
    customer: { running: 2, waiting: 5, timedOut: 7, full: 3 },
    page: idle,
    visitor: idle,
    "public file": idle,
  },
  passwords: { running: 2, waiting: 4, finished: 9, refused: 1, dropped: 3 },
};

test("The embedded backend's current metrics are shown, and none where there isn't one", async () => {
  const read = async (now: object) => (await metricsPage(requestWith(), local, () => now as never))?.text();
  const lines = [
    "# HELP shop_database_connections_in_use Connections to the database in use, for requests or for the shop's own work",
    'shop_database_connections_in_use{pool="requests"} 3',
    'shop_database_connections_in_use{pool="own"} 1',
    "# HELP shop_database_connections_max Maximum number of connections to the database",
    'shop_database_connections_max{pool="requests"} 12',
    "# HELP shop_statements_running Statements under way, by client",
    'shop_statements_running{client="customer"} 2',
    'shop_statements_running{client="public_file"} 0',
    "# HELP shop_statements_waiting Statements waiting for a connection, by client",
    'shop_statements_waiting{client="customer"} 5',
    "# HELP shop_statements_refused_total Statements refused since the start, by client: after waiting 10 seconds (timeout), or at once for lack of memory (full)",
    'shop_statements_refused_total{client="customer",reason="timeout"} 7',
    'shop_statements_refused_total{client="customer",reason="full"} 3',
    "shop_password_hashes_waiting 4",
    'shop_password_hashes_total{result="finished"} 9',
    'shop_password_hashes_total{result="refused"} 1',
    'shop_password_hashes_total{result="dropped"} 3',
  ];
  for (let time = 0; time < 2; time += 1) {
    const shown = (await read(metrics))?.split("\n");
    expect(lines.filter((line) => !shown?.includes(line))).toEqual([]);
  }
  const without = (await metricsPage(requestWith(), local))?.text();
  expect(await without).not.toMatch(/^shop_(database|statements)\w+\{/m);
});

describe("What concerns the shop as a whole", () => {
  const state = {
    work: { emailsWaiting: 3, emailWaits: 75.5, emailsUnsent: 0, paymentsToDecide: 1 },
    backupAt: 1_700_000_000,
    freeBytes: 5_000_000_000,
  };
  const shown = async () =>
    ((await (await metricsPage(requestWith(), local))?.text()) ?? "")
      .split("\n")
      .filter((line) => /^shop_(emails?|payments|last|disk)_/.test(line));

  test("is shown: emails, payments, the last backup and the disk", async () => {
    showShopState(async () => state);
    expect(await shown()).toEqual([
      "shop_emails_waiting 3",
      "shop_email_oldest_seconds 75.5",
      "shop_emails_unsent 0",
      "shop_payments_to_decide 1",
      "shop_last_backup_timestamp_seconds 1700000000",
      "shop_disk_free_bytes 5000000000",
    ]);
  });

  test("is left out where it isn't known, instead of its last value or 0", async () => {
    showShopState(async () => state);
    await shown();
    showShopState(async () => ({ work: null, backupAt: null, freeBytes: 7 }));
    expect(await shown()).toEqual(["shop_disk_free_bytes 7"]);
    showShopState(() => new Promise(() => {}), 20);
    expect(await shown()).toEqual([]);
    showShopState(() => Promise.reject(new Error("The database is away")));
    expect(await shown()).toEqual([]);
  });
});
