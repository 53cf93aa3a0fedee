import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSecrets } from "#server/lib/secrets.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";

const MEBIBYTE = 1024 * 1024;

/* The whole shop with a client that requests a lot and reads none of it. */
describe("Responses that no one reads", () => {
  let shop: ShopServer;
  let key = "";
  const sockets: Socket[] = [];

  beforeAll(async () => {
    shop = await startPreparedShop("empty");
    const secrets = await readSecrets(shop.dataDir);
    if (!secrets) throw new Error("The shop has made no keys");
    key = secrets.publishableKey;
    for (let lot = 0; lot < 20; lot += 1) {
      const description = "plants and forces ".repeat(80);
      const books = Array.from({ length: 50 }, (_, n) => ({ title: `${lot} ${n}`, price: 1, description }));
      const { status } = await fetch(`${shop.url}/rest/v1/books`, {
        method: "POST",
        headers: { apikey: secrets.secretKey, "content-type": "application/json" },
        body: JSON.stringify(books),
      });
      expect(status).toBe(201);
    }
  }, START_MS);
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await shop?.stop();
  });

  it("keep no one else waiting, and do not fill the memory", async () => {
    const columns = Array.from({ length: 9 }, (_, n) => `c${n}:description`).join(",");
    const path = `/rest/v1/books?select=${columns}&limit=1000`;
    const one = await fetch(shop.url + path, { headers: { apikey: key } });
    expect((await one.arrayBuffer()).byteLength).toBeGreaterThan(8 * MEBIBYTE);
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(new URL(shop.url).port), "127.0.0.1").on("error", () => {});
      sockets.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${key}\r\n\r\n`);
      const [head] = (await Promise.race([once(socket, "data"), once(socket, "close")])) as [Buffer];
      socket.pause();
      statuses.push(Number(String(head).slice(9, 12)));
    }
    expect([statuses.includes(200), statuses.includes(503)]).toEqual([true, true]);
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(5);
    for (const look of ["/readyz", "/shop?q=plants", "/rest/v1/books?select=title&limit=24"]) {
      const signal = AbortSignal.timeout(15_000);
      expect([look, (await fetch(shop.url + look, { headers: { apikey: key }, signal })).status]).toEqual([
        look,
        200,
      ]);
    }
  });
});
