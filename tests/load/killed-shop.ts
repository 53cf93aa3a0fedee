import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { issuerOf } from "#server/api/caller.ts";
import { databasePaths } from "#server/database/postgres/folder.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import type { ShopServer } from "#tests/support/shop-server.ts";
import { connectTo, makePeople } from "./running-shop.ts";

const RETRY_MS = 20;
const PATIENCE_MS = 60_000;

export type Recoveries = {
  /** From each kill until a customer's next order was confirmed. */
  seconds: number[];
  /** How often the database's first process was another one afterwards. */
  databaseRestarts: number;
};

/**
 * Kills the shop's process, which serves pages and API, under the one that watches it. Each time a customer with a full
 * cart sends the same order until it is confirmed, as the checkout does.
 * @throws Error when an order is refused, or not confirmed within a minute
 */
export async function measureKills(shop: ShopServer, kills: number): Promise<Recoveries> {
  const { dataDir, url } = shop;
  const secrets = await readSecrets(dataDir);
  if (!secrets) throw new Error("The backend has made no keys");
  const sql = await connectTo(dataDir, 1);
  const people = await makePeople(sql, { ...secrets, issuer: issuerOf(url) }, kills);
  const [book] = await sql<{ id: string; price: string }[]>`
    select id, price from public.books where stock_quantity > ${kills} order by id limit 1`;
  await sql.end();
  if (!book) throw new Error("No book has copies enough");
  const post = (path: string, token: string, body: object) =>
    fetch(url + path, {
      method: "POST",
      headers: {
        apikey: secrets.publishableKey,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        connection: "close",
      },
      body: JSON.stringify(body),
    });
  const recoveries: Recoveries = { seconds: [], databaseRestarts: 0 };
  for (const { id, token } of people) {
    const added = await post("/rest/v1/rpc/add_to_cart", token, { _book_id: book.id, _quantity: 1 });
    if (!added.ok) throw new Error(`The cart responded with ${added.status}`);
    const order = {
      id: randomUUID(),
      user_id: id,
      status: "pending",
      total_amount: Number(book.price),
      shipping_address: "Accra",
    };
    const database = await databasePid(dataDir);
    const startedAt = performance.now();
    process.kill(await shopPid(dataDir), "SIGKILL");
    for (;;) {
      const status = await post("/rest/v1/orders", token, order).then(
        (response) => response.status,
        () => 0,
      );
      // Placed by an attempt whose response was lost, or by this one.
      if (status === 201 || status === 409) break;
      if (status !== 0 && status < 500) throw new Error(`The order responded with ${status}`);
      if (performance.now() - startedAt > PATIENCE_MS)
        throw new Error(`No order after a minute:\n${shop.output()}`);
      await pause(RETRY_MS);
    }
    recoveries.seconds.push((performance.now() - startedAt) / 1_000);
    if ((await databasePid(dataDir)) !== database) recoveries.databaseRestarts += 1;
  }
  return recoveries;
}

/** The process that holds the data folder: with one worker the only one that serves. */
const shopPid = async (dataDir: string) =>
  (JSON.parse(await readFile(join(dataDir, "backend.lock"), "utf8")) as { pid: number }).pid;

const databasePid = async (dataDir: string) =>
  Number((await readFile(join(databasePaths(dataDir).folder, "postmaster.pid"), "utf8")).split("\n")[0]);
