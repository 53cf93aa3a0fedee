import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ownShop } from "#shared/owner/own-shop.ts";
import { asOwner, connectTo } from "#tests/load/running-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";

/** A line is written when its request is over, which on a busy machine takes a while. */
const logged = { timeout: 20_000 };

/* What the owner sees of a running shop: its log and its figures. */

const METRICS_KEY = "a key of at least 16".replaceAll(" ", "-");

let shop: ShopServer;
/** With a key, the access log and clients' addresses, as behind a proxy. */
let watched: ShopServer;

beforeAll(async () => {
  shop = await startPreparedShop("empty");
  watched = await startPreparedShop("empty", { METRICS_KEY, ACCESS_LOG: "ip" });
}, 2 * START_MS);
afterAll(() => Promise.all([shop?.stop(), watched?.stop()]));

type Line = { time: string; level: string; request?: string; message: string; path?: string };
const lines = (server: ShopServer): Line[] =>
  server
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("A running shop has stored the name that no reviewer may use", async () => {
  const sql = await connectTo(shop.dataDir, 1);
  onTestFinished(() => sql.end());
  await asOwner(sql, async (owner) =>
    expect(
      await owner`select private.reader_name(${ownShop.name}) as own, private.reader_name('Ama Mensah') as ama`,
    ).toEqual([{ own: null, ama: "Ama" }]),
  );
});

describe("The log", () => {
  test("is one JSON object per line from the first line on", () => {
    expect(lines(shop).length).toBeGreaterThan(0);
    for (const line of lines(shop)) {
      expect(Date.parse(line.time)).toBeGreaterThan(0);
      expect(line.level).toMatch(/^(info|warn|error)$/);
      expect(line.message).not.toBe("");
    }
  });

  test("names each request by the id in its response, and accepts no id from a client", async () => {
    const headers = { "X-Request-Id": "forged" };
    const response = await fetch(`${watched.url}/healthz`, { headers });
    const id = response.headers.get("X-Request-Id");
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    await eventually(() => expect(lines(watched).find(({ request }) => request === id)).toBeTruthy(), logged);
    expect(lines(watched).find(({ request }) => request === id)).toMatchObject({
      level: "info",
      message: "request",
      method: "GET",
      path: "/healthz",
      status: 200,
      ms: expect.any(Number),
      bytes: expect.any(Number),
    });
    expect(watched.output()).not.toContain("forged");
  });

  test("contains no query values, no outbox key, no token and no forged line", async () => {
    const secrets = "/auth/v1/verify?token=tell-nobody&email=ama@example.com";
    const headers = { Authorization: "Bearer tell-nobody" };
    await fetch(watched.url + secrets, { headers, redirect: "manual" });
    await fetch(`${watched.url}/outbox/tell-nobody`);
    await fetch(`${watched.url}/a%0A%7B%22level%22:%22error%22%7D`);
    const last = await fetch(`${watched.url}/readyz`);
    const id = last.headers.get("X-Request-Id");
    await eventually(() => expect(watched.output()).toContain(`${id}`), logged);
    expect(watched.output()).not.toMatch(/tell-nobody|ama@example/);
    expect(lines(watched).map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/auth/v1/verify", "/outbox", "/a%0A%7B%22level%22:%22error%22%7D"]),
    );
    expect(
      lines(watched)
        .filter(({ level }) => level === "error")
        .map(({ message }) => message),
    ).toEqual([]);
  });

  test("the log contains clients' addresses only if the owner turns them on, and no requests by default", async () => {
    await fetch(`${watched.url}/shop`, { headers: { "X-Forwarded-For": "203.0.113.77" } });
    await eventually(() => expect(watched.output()).toContain('"ip":"203.0.113.77"'), logged);
    await fetch(`${shop.url}/shop`);
    await fetch(`${shop.url}/healthz`);
    expect(lines(shop).filter(({ message }) => message === "request")).toEqual([]);
  });
});

describe("/metrics", () => {
  const read = (server: ShopServer, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/metrics`, { headers });

  test("counts requests by kind and status, and shows neither paths nor people", async () => {
    await fetch(`${shop.url}/no-such-page-of-ama`);
    const response = await read(shop);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toContain("text/plain; version=0.0.4");
    const text = await response.text();
    expect(text).toMatch(/shop_http_request_duration_seconds_count\{route="page",status="404"\} \d+/);
    for (const name of [
      "nodejs_eventloop_lag_seconds",
      "process_resident_memory_bytes",
      "shop_orders_placed_total",
      "shop_emails_waiting",
      "shop_email_oldest_seconds",
      "shop_emails_unsent",
      "shop_payments_to_decide",
      "shop_disk_free_bytes",
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, "m"));
    expect(text).not.toMatch(/ama|127\.0\.0\.1/);
  });

  test("shows how busy the database is, in the backend's own process", async () => {
    const text = await (await read(shop)).text();
    expect(text).toMatch(/^shop_database_connections_max\{pool="requests"\} 12$/m);
    expect(text).toMatch(/^shop_database_connections_max\{pool="shop"\} \d+$/m);
    expect(text).toMatch(/^shop_database_connections_in_use\{pool="requests"\} \d+$/m);
    for (const client of ["shop", "customer", "page", "visitor", "public_file"])
      for (const name of ["running", "waiting", "refused_total"])
        expect(text).toMatch(new RegExp(`^shop_statements_${name}\\{client="${client}"[^}]*\\} \\d+$`, "m"));
    expect(text).toMatch(/^shop_renderings_refused_total\{reason="full"\} 0$/m);
  });

  test.each(["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Proto"])(
    "is the shop's 404 for requests through a proxy (%s)",
    async (name) => {
      const response = await read(shop, { [name]: "203.0.113.7" });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("<html");
    },
  );

  test("is the shop's 404 without its key if one is set, and open from anywhere with it", async () => {
    const forwarded = { "X-Forwarded-For": "203.0.113.7" };
    for (const authorization of ["", "Bearer ", `Bearer ${METRICS_KEY}x`, METRICS_KEY])
      expect((await read(watched, { authorization })).status, authorization).toBe(404);
    expect((await read(watched, { ...forwarded, authorization: `Bearer ${METRICS_KEY}` })).status).toBe(200);
  });

  test("is closed without a key if the shop has a public URL", {
    timeout: START_MS,
  }, async () => {
    const public_ = await startPreparedShop("empty", { SITE_URL: "https://shop.example" });
    try {
      expect((await read(public_)).status).toBe(404);
    } finally {
      await public_.stop();
    }
  });
});
