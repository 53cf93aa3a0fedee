import { randomUUID } from "node:crypto";
import { Agent, request as startRequest } from "node:http";
import type { Person } from "./running-shop.ts";

/** One request's kind, milliseconds and status. */
type Reading = { kind: string; ms: number; status: number };
export type Readings = {
  all: Reading[];
  ordersConfirmed: number;
  seconds: number;
  /** Counts of other clients' requests at the same time. */
  beside: { orders: number; refused: number };
};

export const newReadings = (): Readings => ({
  all: [],
  ordersConfirmed: 0,
  seconds: 0,
  beside: { orders: 0, refused: 0 },
});

/** The shop's queue timeout, less one clock tick. */
const WAIT_MS = 9_990;

/** Refusals: those before the timeout, and all. */
export function refusalsIn({ all }: Pick<Readings, "all">): { early: number; all: number } {
  const refused = all.filter(({ status }) => status === 503);
  return { early: refused.filter(({ ms }) => ms < WAIT_MS).length, all: refused.length };
}

type Call = { kind: string; path: string; body?: object; person?: Person };
type Book = { id: string; price: string };

/** The data that all simulated customers share. */
export type Shop = { url: string; key: string; words: string[]; books: Book[] };

/** A simulated browser with its own connection and network. */
export function createBrowser({ url, key }: Shop, network: string, readings: Readings) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(url);
  /** Resolves to the status; 0 without a response. */
  function send({ kind, path, body, person }: Call): Promise<number> {
    const startedAt = performance.now();
    const text = body && JSON.stringify(body);
    return new Promise((resolve) => {
      const done = (status: number) => {
        readings.all.push({ kind, status, ms: performance.now() - startedAt });
        resolve(status);
      };
      const headers = {
        apikey: key,
        "accept-encoding": "br",
        "x-forwarded-for": network,
        ...(text ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) } : {}),
        ...(person ? { authorization: `Bearer ${person.token}` } : {}),
      };
      const method = text ? "POST" : "GET";
      const outgoing = startRequest({ agent, hostname, port, path, method, headers }, (response) => {
        response.resume();
        response.once("end", () => done(response.statusCode ?? 0));
        response.once("error", () => done(0));
      });
      outgoing.once("error", () => done(0));
      outgoing.end(text);
    });
  }
  return { send, close: () => agent.destroy() };
}

let searches = 0;

/** A text that no one has searched for: two words from titles and a number. */
function newText({ words }: Shop): string {
  searches += 1;
  const word = (n: number) => words[n % words.length] as string;
  return `${word(searches * 7)} ${word(searches * 13 + 5)} ${searches}`;
}

const columns = "id,title,authors,publisher,price,stock_quantity,image_url";

/** Browses: a cached page, a list, a search, suggestions, and now and then an uncached page. */
async function browse(shop: Shop, send: ReturnType<typeof createBrowser>["send"]): Promise<void> {
  const text = newText(shop);
  await send({ kind: "cached page", path: `/shop?page=${1 + (searches % 20)}` });
  await send({ kind: "list", path: `/rest/v1/books?select=${columns}&order=title_key,id&limit=24` });
  const body = { _search: { q: text, page_size: 24 } };
  await send({ kind: "search", path: `/rest/v1/rpc/search_books?select=${columns}`, body });
  await send({ kind: "suggestions", path: `/suggestions?q=${encodeURIComponent(text.slice(0, 8))}` });
  if (searches % 5 === 0) await send({ kind: "new page", path: `/shop?q=${encodeURIComponent(text)}` });
}

/** A visitor who browses once. */
export const visit = browse;

/** A customer who browses, fills the cart and orders. */
export async function shopAround(
  shop: Shop,
  person: Person,
  book: Book,
  send: ReturnType<typeof createBrowser>["send"],
  readings: Readings,
): Promise<void> {
  await browse(shop, send);
  const cart = { _book_id: book.id, _quantity: 1 };
  const added = await send({ kind: "cart", path: "/rest/v1/rpc/add_to_cart", body: cart, person });
  if (added !== 200) return;
  const body = {
    id: randomUUID(),
    user_id: person.id,
    status: "pending",
    total_amount: Number(book.price),
    shipping_address: "Accra",
  };
  const status = await send({ kind: "order", path: "/rest/v1/orders", body, person });
  if (status === 201) readings.ordersConfirmed += 1;
}
