import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { addBook, stockOf } from "#tests/support/factories.ts";
import { newCustomer, newFolder, ownerOf } from "./shop-folder.ts";

const rounds = 3;
const copies = 1_000;
const waitOptions = { timeout: 60_000, interval: 20 };

test("Killed again and again while orders come in, the shop loses no confirmed order, and stock adds up", async () => {
  const folder = await newFolder();
  const backend = await folder.serve();
  const owner = await ownerOf(backend, folder);
  const { id: bookId } = await addBook(owner, { price: 10, stock_quantity: copies });
  const customers = await Promise.all(
    ["ama", "kofi", "esi"].map((name) => newCustomer(backend, folder, `${name}@example.com`)),
  );
  const confirmed: string[] = [];
  let ordering = true;

  /** Orders one copy after another; an unanswered order may exist or not, a confirmed one must. */
  async function order({ client, id: userId }: (typeof customers)[number]): Promise<void> {
    for (let placed = 0; ordering && placed < 20; ) {
      await client.from("cart_items").delete().eq("user_id", userId);
      await client.from("cart_items").insert({ user_id: userId, book_id: bookId, quantity: 1 });
      const id = randomUUID();
      const row = { id, user_id: userId, total_amount: 10, status: "pending" };
      const answer = await client.from("orders").insert(row).select("id").single();
      if (answer.data) {
        confirmed.push(id);
        placed += 1;
      }
    }
  }

  const work = Promise.all(customers.map(order));
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const before = confirmed.length;
      await vi.waitFor(() => expect(confirmed.length).toBeGreaterThan(before), waitOptions);
      const pid = await folder.pid();
      process.kill(pid, "SIGKILL");
      await vi.waitFor(async () => expect(await folder.pid()).not.toBe(pid), waitOptions);
      await vi.waitFor(async () => expect(await backend.ready()).toBe(true), waitOptions);
    }
  } finally {
    ordering = false;
    await work;
  }

  const orders = await owner.from("orders").select("id, order_items(quantity)");
  const kept = new Set(orders.data?.map(({ id }) => id));
  expect(confirmed.filter((id) => !kept.has(id))).toEqual([]);
  const sold = orders.data?.flatMap(({ order_items }) => order_items.map(({ quantity }) => quantity)) ?? [];
  expect(sold).toHaveLength(kept.size);
  expect(await stockOf(owner, bookId)).toBe(copies - sold.length);
}, 240_000);
