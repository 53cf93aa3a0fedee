import type { Chance } from "./random.ts";
import {
  type Address,
  type Book,
  type Client,
  type Ledger,
  newShopper,
  type Shopper,
  shopOnce,
} from "./shoppers.ts";

/** A gate that is open while the shop is up: customers wait at it rather than knock. */
export class Gate {
  #open: Promise<void> = Promise.resolve();
  #release: (() => void) | null = null;
  close(): void {
    if (this.#release) return;
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
  }
  open(): void {
    this.#release?.();
    this.#release = null;
  }
  passed = () => this.#open;
}

/** Four books with more copies than are ever ordered. */
export async function addBooks(admin: Client, chance: Chance): Promise<Book[]> {
  const rows = [1, 2, 3, 4].map((n) => ({
    title: `Book ${n}`,
    price: chance.whole(100, 9999) / 100,
    stock_quantity: 100_000,
  }));
  const { data, error } = await admin.from("books").insert(rows).select("id, price, stock_quantity");
  if (error) throw new Error(error.message);
  return data.map(({ id, price, stock_quantity }) => ({ id, price, stock: stock_quantity }));
}

export type Shopping = (enough: () => boolean) => Promise<void>;

/** One place at the counter: a customer after another, each with as many orders as the shop takes in an hour. */
export function shoppingOf(
  address: Address,
  key: string,
  books: readonly Book[],
  chance: Chance,
  ledger: Ledger,
  ready: () => Promise<void>,
): Shopping {
  let shopper: Shopper | null = null;
  return async (enough) => {
    while (!enough()) {
      if (!shopper || shopper.left === 0) shopper = await newShopper(address, key, chance, ledger);
      if (shopper) await shopOnce(shopper, books, chance, ledger, ready);
      else await ready();
    }
  };
}
