import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSecrets } from "#server/lib/secrets.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";

/* The whole shop with thousands of clients that send most of a large body and then stop. */

const SENDERS = 2_000;
const BODY = 131_000;

let shop: ShopServer;
let key = "";
const sockets: Socket[] = [];

beforeAll(async () => {
  shop = await startPreparedShop("empty");
  key = (await readSecrets(shop.dataDir))?.publishableKey ?? "";
}, START_MS);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await shop?.stop();
});

async function megabytesInUse(): Promise<number> {
  const { pid } = JSON.parse(await readFile(join(shop.dataDir, "backend.lock"), "utf8"));
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_000;
}

async function send(ip: string): Promise<void> {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  const head = `POST /rest/v1/rpc/search_books HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${ip}`;
  socket.write(
    `${head}\r\napikey: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY}\r\n\r\n{`,
  );
  socket.write(" ".repeat(BODY - 1_000));
}

it("2,000 unfinished large bodies neither fill the memory nor delay other clients, whatever networks they come from", async () => {
  const before = await megabytesInUse();
  for (let n = 0; n < SENDERS; n += 1) await send(n % 2 ? "192.0.2.1" : `10.1.${n >> 8}.${n & 255}`);
  for (const path of ["/readyz", "/shop?q=plants"])
    expect([path, (await fetch(shop.url + path)).status]).toEqual([path, 200]);
  const search = await fetch(`${shop.url}/rest/v1/rpc/search_books`, {
    method: "POST",
    headers: { apikey: key, "content-type": "application/json", "x-forwarded-for": "192.0.2.1" },
    body: JSON.stringify({ _search: { q: "plants" } }),
  });
  expect(search.status).toBe(200);
  expect((await megabytesInUse()) - before).toBeLessThan(200);
});
