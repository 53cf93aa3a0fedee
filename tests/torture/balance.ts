import type { Book, Client, Ledger } from "./shoppers.ts";

/** Reads all rows of a query, a thousand at a time. */
async function readAll<Row>(
  page: (from: number, to: number) => PromiseLike<{ data: Row[] | null; error: unknown }>,
) {
  const rows: Row[] = [];
  for (;;) {
    const { data, error } = await page(rows.length, rows.length + 999);
    if (error) throw new Error(`The shop cannot be checked: ${JSON.stringify(error)}`);
    rows.push(...(data ?? []));
    if ((data?.length ?? 0) < 1000) return rows;
  }
}

/**
 * What must hold while no customer is on the way: every confirmed order is there with its lines and its status, no other
 * is, each total is the sum of its lines, and the stock is what it was minus what is held.
 */
export async function findBroken(admin: Client, books: readonly Book[], ledger: Ledger): Promise<string[]> {
  const broken: string[] = [];
  const orders = await readAll((from, to) =>
    admin
      .from("orders")
      .select("id, status, total_amount, order_items(book_id, quantity, price)")
      .order("id")
      .range(from, to),
  );
  const stored = new Set(orders.map(({ id }) => id));
  for (const id of ledger.confirmed.keys())
    if (!stored.has(id)) broken.push(`the confirmed order ${id} is gone`);
  const taken = new Map<string, number>();
  for (const { id, status, total_amount, order_items } of orders) {
    const recorded = ledger.confirmed.get(id);
    if (!recorded && !ledger.inDoubt.has(id)) broken.push(`nobody ordered ${id}`);
    if (recorded && recorded !== "either" && recorded !== status)
      broken.push(`${id} is ${status}, not ${recorded}`);
    if (order_items.length === 0) broken.push(`${id} has no lines`);
    const pesewas = order_items.reduce((sum, line) => sum + Math.round(line.price * 100) * line.quantity, 0);
    if (pesewas !== Math.round(total_amount * 100))
      broken.push(`${id} costs ${total_amount}, not ${pesewas}`);
    if (status === "cancelled") continue;
    for (const { book_id, quantity } of order_items)
      taken.set(book_id ?? "", (taken.get(book_id ?? "") ?? 0) + quantity);
  }
  const stocks = await admin.from("books").select("id, stock_quantity");
  for (const book of books) {
    const left = stocks.data?.find(({ id }) => id === book.id)?.stock_quantity;
    const right = book.stock - (taken.get(book.id) ?? 0);
    if (left !== right) broken.push(`the stock of ${book.id} is ${left}, not ${right}`);
  }
  return broken;
}
