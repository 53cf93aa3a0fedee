import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readSecrets } from "#server/lib/secrets.ts";
import { maxMisses } from "#server/shop/code-guesses.ts";
import { eventually } from "#tests/support/eventually.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { START_MS } from "#tests/support/shop-server.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi(`
    insert into public.booklists (code, school, class_name, school_year, status, is_listed)
    values ('1111111111', 'Listed School', 'Class 1', '2026/2027', 'published', true),
           ('2222222222', 'Quiet School', 'Class 1', '2026/2027', 'published', false)`);
});
afterAll(() => api?.close());

test("after many wrong codes an address has to wait, for all but the lists that the search shows", async () => {
  const find = (code: string, ip = "198.51.100.7") =>
    api.ask("/rest/v1/rpc/find_booklist", { body: { _code: code }, ip });
  expect(await (await find("22222-22222")).json()).toMatchObject([{ school: "Quiet School" }]);
  for (let n = 0; n < maxMisses; n += 1) expect(await (await find("33333-33333")).json()).toEqual([]);
  // The data API decodes the name, and takes the last of two codes.
  for (const call of [
    "find%5Fbooklist?_code=2222222222",
    "%66ind_booklist?_code=1111111111&_code=2222222222",
  ])
    expect([call, (await api.ask(`/rest/v1/rpc/${call}`, { ip: "198.51.100.7" })).status]).toEqual([
      call,
      429,
    ]);
  const refused = await find("22222-22222");
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "PT429" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  const customer = await api.newPerson();
  const add = await api.ask("/rest/v1/rpc/add_booklist_to_cart", {
    body: { _code: "22222-22222", _line_ids: [] },
    ip: "198.51.100.7",
    as: customer,
  });
  expect(add.status).toBe(429);
  expect(await (await find("l1111-ll111")).json()).toMatchObject([{ school: "Listed School" }]);
  expect(await (await find("22222-22222", "198.51.100.8")).json()).toMatchObject([
    { school: "Quiet School" },
  ]);
});

/** A proxy that leaves no trace: it passes requests on under the shop's own address, and says nothing of the client. */
async function startSilentProxy(shopUrl: string): Promise<string> {
  const { port } = new URL(shopUrl);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const passed = request({ host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers });
    passed.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("guesses through a proxy on the same machine that leaves no trace are counted as one network's, with a warning", {
  timeout: START_MS,
}, async () => {
  const METRICS_KEY = "a-key-of-at-least-16";
  const shop = await startPreparedShop("empty", {
    ...{ SITE_URL: "https://shop.example", TRUSTED_PROXIES: "", METRICS_KEY },
  });
  onTestFinished(() => shop.stop());
  const warnings = () => shop.output().match(/have no X-Forwarded-For/g) ?? [];
  const checks = async () => {
    const metrics = await fetch(`${shop.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_KEY}` },
    });
    await metrics.text();
    const health = await fetch(`${shop.url}/healthz`);
    return [metrics.status, health.status, await health.json()];
  };
  const healthy = [200, 200, { live: true, ready: true }];
  expect(await checks()).toEqual(healthy);
  expect(warnings()).toEqual([]);

  const proxy = await startSilentProxy(shop.url);
  const apikey = (await readSecrets(shop.dataDir))?.publishableKey ?? "";
  const guess = async () => {
    const response = await fetch(`${proxy}/rest/v1/rpc/find_booklist`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: JSON.stringify({ _code: "33333-33333" }),
    });
    await response.text();
    return response.status;
  };
  for (let n = 0; n < maxMisses; n += 1) expect(await guess()).toBe(200);
  expect(await guess()).toBe(429);
  await eventually(() => expect(warnings()).toHaveLength(1), { timeout: 20_000 });
  expect(await checks()).toEqual(healthy);
});
