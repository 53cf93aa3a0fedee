import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { readSecrets } from "#server/embedded/secrets.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { percentile, type Section } from "./report.ts";
import { asOwner, connectTo, makePeople, type Person } from "./running-shop.ts";
import { load } from "./throughput.ts";

const ORDERS_PER_SECOND = 10;
const CONNECTIONS = 16;
const TURNS = 3;
const PEOPLE = 500;
/** The first copies that pages count, so that every order changes what they show. */
const SHOWN_STOCK = 9;

type Book = { id: string; price: string };

/** Cached pages while customers place orders, each of which changes a stock that `/shop` shows. */
export async function measureBusyPages(): Promise<Section> {
  const shop = await startShop();
  const sql = await connectTo(shop.dataDir, 2);
  try {
    const secrets = await readSecrets(shop.dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    const people = await makePeople(sql, secrets.jwtSecret, PEOPLE);
    const books = await sql<Book[]>`select id, price from public.books order by title_key, id limit 24`;
    const order = orderer(shop.url, secrets.publishableKey, people, books);
    const rows: string[][] = [];
    for (const path of ["/", "/shop", "/shop?publisher=Collins", "/products/cambridge"]) {
      const turns: { quiet: number; busy: number; orders: number }[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        await showStock(sql, books);
        const target = { name: path, url: shop.url, paths: [path] };
        await load(target, 1, 1);
        const quiet = await load(target, CONNECTIONS);
        const stop = new AbortController();
        const ordering = placeOrders(order, stop.signal);
        const busy = await load(target, CONNECTIONS);
        stop.abort();
        turns.push({ quiet: quiet.perSecond, busy: busy.perSecond, orders: await ordering });
      }
      const median = (pick: (turn: (typeof turns)[number]) => number) => percentile(turns.map(pick), 0.5);
      const ratios = turns.map(({ quiet, busy }) => busy / quiet);
      rows.push([
        `\`${path}\``,
        median(({ quiet }) => quiet).toFixed(0),
        median(({ busy }) => busy).toFixed(0),
        `${percentile(ratios, 0.5).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
        median(({ orders }) => orders).toFixed(0),
      ]);
    }
    return {
      title: "Cached pages while orders come in",
      about: `Demo catalogue, embedded backend, ${CONNECTIONS} connections; ${ORDERS_PER_SECOND} orders start each second, all of books on the first page of \`/shop\` with fewer than 10 copies left, so that each changes that page; median of ${TURNS} turns, each right after a quiet one. Budget: a ratio of at least 0.50. Load average ${(loadavg()[0] ?? 0).toFixed(1)} on this machine at the end, the bench's own load included.`,
      header: ["Page", "Pages/s, quiet", "Pages/s, with orders", "Ratio to quiet", "Orders placed in a turn"],
      rows,
    };
  } finally {
    await sql.end();
    await shop.stop();
  }
}

const showStock = (sql: postgres.Sql, books: Book[]) =>
  asOwner(sql, async (owner) => {
    await owner`delete from public.cart_items`;
    await owner`update public.books set stock_quantity = ${SHOWN_STOCK} where id in ${owner(books.map(({ id }) => id))}`;
  });

/** Each order is another customer's, of one copy of the next book. @throws Error unless it is placed */
function orderer(url: string, key: string, people: Person[], books: Book[]) {
  let next = 0;
  return async () => {
    const { id, token } = people[next % people.length] as Person;
    const book = books[next % books.length] as Book;
    next += 1;
    const post = async (path: string, body: object) => {
      const headers = { apikey: key, authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    await post("/rest/v1/rpc/add_to_cart", { _book_id: book.id, _quantity: 1 });
    await post("/rest/v1/orders", {
      ...{ id: randomUUID(), user_id: id, total_amount: Number(book.price), status: "pending" },
      shipping_address: "Accra",
    });
  };
}

/** At a steady rate, whether or not earlier ones have been placed. @returns how many were placed */
async function placeOrders(order: () => Promise<void>, signal: AbortSignal): Promise<number> {
  const all: Promise<void>[] = [];
  while (!signal.aborted) {
    all.push(order());
    await pause(1_000 / ORDERS_PER_SECOND);
  }
  await Promise.all(all);
  return all.length;
}
