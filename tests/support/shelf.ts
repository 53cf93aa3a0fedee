import type { BrowserContext, Page } from "@playwright/test";
import type { Member } from "./test.ts";

type NewBook = {
  title?: string;
  price?: number;
  stock_quantity?: number;
  publisher?: string;
  isbn?: string;
  subject?: string;
  image_url?: string;
};

let made = 0;

/** A title that no other test has, also when tests run again on the same shelf. */
export function ownTitle(): string {
  made += 1;
  return `Reader ${process.pid}-${Date.now()}-${made}`;
}

/** Puts a book of this test alone on the shelf, as the shop's admin does. */
export async function shelve(admin: Member, book: NewBook = {}) {
  const { data, error } = await admin.client
    .from("books")
    .insert({ title: ownTitle(), publisher: "Collins", price: 45.1, stock_quantity: 20, ...book })
    .select("id, title, price")
    .single();
  if (error) throw error;
  return data;
}

/** What the shop has left of a book. */
export async function stockOf(admin: Member, bookId: string): Promise<number> {
  const { data, error } = await admin.client.from("books").select("stock_quantity").eq("id", bookId).single();
  if (error) throw error;
  return data.stock_quantity;
}

/** Puts copies into a member's cart behind the browser's back. */
export async function putInCart(member: Member, bookId: string, quantity = 1): Promise<void> {
  const { error } = await member.client.rpc("add_to_cart", { _book_id: bookId, _quantity: quantity });
  if (error) throw error;
}

/** Orders what is in a member's cart, without a browser; answers the order's id. */
export async function order(member: Member, total: number): Promise<string> {
  const { data, error } = await member.client
    .from("orders")
    .insert({
      user_id: member.id,
      total_amount: total,
      status: "pending",
      shipping_address: "5 Castle Road, Cape Coast",
    })
    .select("id")
    .single();
  if (error) throw error;
  return data.id;
}

/** Lets calls of the backend fail inside it, until the returned function is called. */
export async function breakCalls(
  target: Page | BrowserContext,
  path: RegExp,
  method: string,
): Promise<() => Promise<void>> {
  await target.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, json: { code: "XX000", message: "broken by a test" } })
      : route.fallback(),
  );
  return () => target.unroute(path);
}

/** Holds back what is asked of an address until released, to look at what is shown meanwhile. */
export async function holdBack(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/**
 * Lets POST calls reach the backend but drops the connection before the first answers come back.
 * @returns how many calls were sent so far
 */
export async function dropAnswers(page: Page, path: RegExp, answers: number): Promise<() => number> {
  let sent = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent += 1;
    if (sent > answers) return route.fallback();
    await route.fetch();
    await route.abort("connectionreset");
  });
  return () => sent;
}

/** Opens the catalogue at one book. */
export async function findOnShelf(page: Page, title: string): Promise<void> {
  await page.goto(`/shop?q=${encodeURIComponent(title)}`);
}
