import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { readSecrets } from "#server/lib/secrets.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { findMail, followLink } from "#tests/support/outbox.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import type { Chance } from "./random.ts";

export type Client = SupabaseClient<Database>;

/** Where the shop listens now: it changes with every start. */
export type Address = { url: string; dataDir: string };

export type Book = { id: string; price: number; stock: number };

/** What customers were shown, and what they could not know. */
export type Ledger = {
  /** Orders that were confirmed, with what is known of their status. */
  confirmed: Map<string, "pending" | "cancelled" | "either">;
  /** Orders whose answer never came; after a retry they are confirmed. */
  inDoubt: Set<string>;
  /** Retries that found their order placed already. */
  foundPlaced: number;
  /** Requests that were answered with nothing, or with a failure of the shop. */
  unanswered: number;
  /** Descriptions of responses that no customer should ever see. */
  faults: string[];
};

export const newLedger = (): Ledger => ({
  confirmed: new Map(),
  inDoubt: new Set(),
  foundPlaced: 0,
  unanswered: 0,
  faults: [],
});

const withoutSession = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
const password = "a long password";

/** A client as a browser behind an address of its own. */
export function clientOf(address: Address, key: string, chance: Chance): Client {
  const from = `10.${chance.whole(0, 255)}.${chance.whole(0, 255)}.${chance.whole(1, 254)}`;
  return createClient<Database>("http://shop.example", key, {
    auth: withoutSession,
    global: {
      headers: { "x-forwarded-for": from },
      fetch: (input, init) => {
        const request = new Request(input, init);
        const { pathname, search } = new URL(request.url);
        return fetch(new Request(new URL(pathname + search, address.url), request));
      },
    },
  });
}

/** The key that the shop's pages carry. */
export async function publishableKey(address: Address): Promise<string> {
  const secrets = await readSecrets(address.dataDir);
  if (!secrets) throw new Error("The shop has made no keys");
  return secrets.publishableKey;
}

export async function signInAdmin(address: Address, key: string, chance: Chance): Promise<Client> {
  const client = clientOf(address, key, chance);
  const { error } = await client.auth.signInWithPassword(ADMIN);
  if (error) throw new Error(`The admin cannot sign in: ${error.message}`);
  return client;
}

/** Whether an answer says nothing about the order: no answer at all, or a failure of the shop's. */
const isSilence = (response: { status: number }) => response.status === 0 || response.status >= 500;

export type Shopper = { client: Client; id: string; left: number };

/** A new customer, with all of an hour's twenty orders left. Null when the shop stopped responding. */
export async function newShopper(
  address: Address,
  key: string,
  chance: Chance,
  ledger: Ledger,
): Promise<Shopper | null> {
  const client = clientOf(address, key, chance);
  const email = `shopper-${randomUUID()}@example.com`;
  const signedUp = await client.auth.signUp({ email, password });
  if (signedUp.error) return note(ledger, signedUp.error.status ?? 0, signedUp.error.message);
  const mail = await findMail(address.dataDir, email).catch(() => null);
  const link = mail?.links[0];
  if (!link) return note(ledger, 500, "no mail for a new account");
  const { pathname, search } = new URL(link);
  await followLink(new URL(pathname + search, address.url).href).catch(() => null);
  const signedIn = await client.auth.signInWithPassword({ email, password });
  // Not confirmed: the link's answer was lost together with the shop.
  if (signedIn.error?.code === "email_not_confirmed") return null;
  if (signedIn.error) return note(ledger, signedIn.error.status ?? 0, signedIn.error.message);
  return { client, id: signedIn.data.user.id, left: 18 };
}

function note(ledger: Ledger, status: number, message: string): null {
  if (isSilence({ status })) ledger.unanswered += 1;
  else ledger.faults.push(`${status}: ${message}`);
  return null;
}

/** Tries an order until the shop says something, always with the same id, as the checkout does. */
async function insist(
  shopper: Shopper,
  row: { id: string; total_amount: number },
  ledger: Ledger,
  ready: () => Promise<void>,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await shopper.client
      .from("orders")
      .insert({ ...row, user_id: shopper.id, status: "pending", shipping_address: "Accra" })
      .select("id");
    if (isSilence(response)) {
      ledger.unanswered += 1;
      ledger.inDoubt.add(row.id);
      await ready();
      continue;
    }
    ledger.inDoubt.delete(row.id);
    if (response.error?.code === "23505" && attempt > 0) ledger.foundPlaced += 1;
    else if (response.error) {
      // The first try was placed in vain or not at all; nothing else may be refused.
      ledger.faults.push(`an order was refused: ${response.error.code} ${response.error.message}`);
      return;
    }
    ledger.confirmed.set(row.id, "pending");
    return;
  }
}

/** One visit: fill the cart, order, now and then cancel an earlier order. */
export async function shopOnce(
  shopper: Shopper,
  books: readonly Book[],
  chance: Chance,
  ledger: Ledger,
  ready: () => Promise<void>,
): Promise<void> {
  const picked = books.filter(() => chance.next() < 0.5);
  const lines = (picked.length > 0 ? picked : books.slice(0, 1)).map((book) => ({
    user_id: shopper.id,
    book_id: book.id,
    quantity: chance.whole(1, 3),
    price: book.price,
  }));
  const emptied = await shopper.client.from("cart_items").delete().eq("user_id", shopper.id);
  const filled = emptied.error
    ? emptied
    : await shopper.client.from("cart_items").insert(lines.map(({ price: _, ...line }) => line));
  if (emptied.error || filled.error) {
    note(ledger, filled.status, filled.error?.message ?? "");
    return ready();
  }
  const pesewas = lines.reduce((sum, { price, quantity }) => sum + Math.round(price * 100) * quantity, 0);
  const id = randomUUID();
  await insist(shopper, { id, total_amount: pesewas / 100 }, ledger, ready);
  shopper.left -= 1;
  if (chance.next() > 0.15 || !ledger.confirmed.has(id)) return;
  const cancelled = await shopper.client
    .from("orders")
    .update({ status: "cancelled" })
    .eq("id", id)
    .select("id");
  if (isSilence(cancelled)) ledger.unanswered += 1;
  else if (cancelled.error) ledger.faults.push(`an order was not cancelled: ${cancelled.error.message}`);
  ledger.confirmed.set(id, cancelled.data ? "cancelled" : "either");
  if (isSilence(cancelled)) await ready();
}
