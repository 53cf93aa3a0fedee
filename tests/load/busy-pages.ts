import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { issuerOf } from "#server/api/caller.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { loadPages } from "./page-load.ts";
import { percentile, type Section } from "./report.ts";
import { asOwner, connectTo, makePeople, type Person } from "./running-shop.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const ORDERS_PER_SECOND = 10;
const CONNECTIONS = 16;
const SECONDS = secondsOr(4);
const TURNS = turnsOr(3);
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
    const people = await makePeople(sql, { ...secrets, issuer: issuerOf(shop.url) }, PEOPLE);
    const books = await sql<Book[]>`select id, price from public.books order by title_key, id limit 24`;
    const order = orderer(shop.url, secrets.publishableKey, people, books);
    const rows: string[][] = [];
    for (const path of ["/", "/shop", "/shop?publisher=Collins", "/products/cambridge"]) {
      const turns: { quiet: number; busy: number; orders: number }[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        await showStock(sql, books);
        const load = { url: shop.url, path, connections: CONNECTIONS, seconds: SECONDS };
        await loadPages({ ...load, connections: 1, seconds: 1 });
        const quiet = await loadPages({ ...load, work: "cached" });
        const before = await readCounts(shop.url);
        const stop = new AbortController();
        const ordering = placeOrders(order, stop.signal);
        const busy = await loadPages(load);
        stop.abort();
        const orders = await ordering;
        const counted = countsSince(before, await readCounts(shop.url));
        expectWork("orders placed", counted.orders, orders);
        // The catalogue's version is read at least once a second, and each reading finds new orders.
        expectWork(`${path}, rendered again because of orders`, counted.rendered, SECONDS - 1, orders + 1);
        turns.push({ quiet: quiet.perSecond, busy: busy.perSecond, orders });
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
      about: `Demo catalogue, embedded backend, ${CONNECTIONS} connections, compressed as a browser asks for it; ${ORDERS_PER_SECOND} orders start each second, all of books on the first page of \`/shop\` with fewer than 10 copies left, so that each changes that page; median of ${TURNS} turns, each right after a quiet one. The shop's counters confirm the orders and that the page was rendered again at least once a second. Budget: a ratio of at least 0.50. Load average ${(loadavg()[0] ?? 0).toFixed(1)} on this machine at the end, the bench's own load included.`,
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
      const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok)
        throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
    await post("/rest/v1/rpc/add_to_cart", { _book_id: book.id, _quantity: 1 });
    await post("/rest/v1/orders", {
      id: randomUUID(),
      user_id: id,
      total_amount: Number(book.price),
      status: "pending",
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
