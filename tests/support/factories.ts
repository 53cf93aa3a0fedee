/*
 * What tests create and look up through the shop's API, whichever backend answers it. Tests that reach the database without
 * it have database-factories.ts.
 */
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "#shared/calls/database.types.ts";
import { followLink, type Mail } from "./outbox.ts";

export type Client = SupabaseClient<Database>;

/** A customer with a confirmed address, and the backend as they reach it. */
export type Member = { id: string; email: string; password: string; client: Client };

type Account = { email: string; password: string; full_name?: string; phone?: string };

type NewBook = Partial<Database["public"]["Tables"]["books"]["Insert"]>;

/** Unwraps a response of supabase-js: the data, or the error thrown. */
export async function dataOf<T>(
  response: PromiseLike<{ data: T; error: { message: string; code?: string } | null }>,
): Promise<NonNullable<T>> {
  const { data, error } = await response;
  if (error) throw new Error(`${error.code}: ${error.message}`);
  if (data === null || data === undefined) throw new Error("The response holds no data");
  return data;
}

export async function signInMember(client: Client, email: string, password: string): Promise<Member> {
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return { id: data.user.id, email, password, client };
}

/** Signs a customer up, follows the link of the email and signs in. */
export async function newMember(
  client: Client,
  { email, password, ...data }: Account,
  findMail: (to: string) => Promise<Pick<Mail, "links">>,
  send?: Parameters<typeof followLink>[1],
): Promise<Member> {
  const { error } = await client.auth.signUp({ email, password, options: { data } });
  if (error) throw error;
  await followLink((await findMail(email)).links[0], send);
  return signInMember(client, email, password);
}

let titles = 0;

/** A title that no other test uses, also when tests run again on the same shop. */
export function newTitle(words = "Atlas"): string {
  titles += 1;
  return `${words} ${process.pid.toString(36)}${Date.now().toString(36)}${titles}`;
}

/** An ISBN that no other test uses, in both its lengths. */
export function newIsbn() {
  const digits = String(Math.floor(Math.random() * 1e9)).padStart(9, "0");
  const weigh = (text: string, weight: (at: number) => number) =>
    [...text].reduce((sum, digit, at) => sum + Number(digit) * weight(at), 0);
  const last10 = (11 - (weigh(digits, (at) => 10 - at) % 11)) % 11;
  const last13 = (10 - (weigh(`978${digits}`, (at) => (at % 2 ? 3 : 1)) % 10)) % 10;
  return { isbn13: `978-${digits}-${last13}`, isbn10: `${digits}${last10 === 10 ? "X" : last10}` };
}

/** Adds a book as staff; it is the newest one. */
export async function addBook(staff: Client, book: NewBook = {}) {
  const row = { title: newTitle(), publisher: "Collins", price: 50, stock_quantity: 20, ...book };
  return dataOf(staff.from("books").insert(row).select().single());
}

/** How many copies of a book are in stock. */
export async function stockOf(staff: Client, bookId: string): Promise<number> {
  return (await dataOf(staff.from("books").select("stock_quantity").eq("id", bookId).single()))
    .stock_quantity;
}

/** Puts copies of a book into a customer's cart; answers the cart line's id. */
export async function fillCart(client: Client, bookId: string, quantity = 1): Promise<string> {
  return (await dataOf(client.rpc("add_to_cart", { _book_id: bookId, _quantity: quantity }))).id;
}

/** Where orders of tests go, unless a test says otherwise. */
export const delivery = {
  shipping_address: "4 School Lane, Kumasi",
  recipient_name: "Storekeeper of the test",
  recipient_email: "store@school.example",
  recipient_phone: "+233209876543",
};

/** Orders copies of one book as the checkout does: the cart, then the one insert. Answers the order's id. */
export async function placeOrder(
  member: Pick<Member, "id" | "client">,
  book: { id: string; price: number },
  quantity = 1,
  details: Partial<typeof delivery> = {},
): Promise<string> {
  await fillCart(member.client, book.id, quantity);
  const order = {
    id: randomUUID(),
    user_id: member.id,
    total_amount: Math.round(book.price * 100 * quantity) / 100,
    status: "pending",
    ...delivery,
    ...details,
  };
  return (await dataOf(member.client.from("orders").insert(order).select("id").single())).id;
}
