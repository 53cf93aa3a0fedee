/*
 * What tests of the database create and look up in it, in SQL. Tests that go through the API have factories.ts.
 */
import { randomUUID } from "node:crypto";
import type { Database, Row } from "./database.ts";
import type { SignedIn } from "./people.ts";

/** A person with a confirmed account. */
export async function addCustomer(
  database: Database,
  data: Row = { full_name: "A customer" },
): Promise<SignedIn> {
  const id = randomUUID();
  await database.query(
    "insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3::jsonb)",
    [id, `${id}@shop.test`, data],
  );
  return { role: "authenticated", id };
}

/** An account with this role, given by the owner. */
export async function addStaff(database: Database, role: "admin" | "moderator"): Promise<SignedIn> {
  const person = await addCustomer(database, { full_name: `A ${role}` });
  await database.query("insert into public.user_roles (user_id, role) values ($1, $2)", [person.id, role]);
  return person;
}

export type TestBook = { id: string; title: string; price: number; stock: number };

/** A book, added by the owner. Price in cedis. */
export async function addBook(
  database: Database,
  { title = `Book ${randomUUID()}`, price = 45.5, stock = 10, ...others }: Partial<TestBook> & Row = {},
): Promise<TestBook> {
  const columns = Object.keys(others);
  const values = [title, price, stock, ...Object.values(others)];
  const [row] = await database.query<{ id: string }>(
    `insert into public.books (${["title", "price", "stock_quantity", ...columns].join(", ")})
     values (${values.map((_, i) => `$${i + 1}`).join(", ")}) returning id`,
    values,
  );
  if (!row) throw new Error("The book was not added.");
  return { id: row.id, title, price, stock };
}

/** Puts copies of books into the customer's cart, as the customer does it. */
export async function fillCart(
  database: Database,
  customer: SignedIn,
  lines: [book: TestBook, quantity: number][],
): Promise<void> {
  await database.as(customer, async (query) => {
    for (const [book, quantity] of lines)
      await query("select public.add_to_cart($1, $2)", [book.id, quantity]);
  });
}

export type OrderRequest = { id?: string; total: number } & Row;

/** Places an order as the shop's checkout does: the one insert, which answers the row. */
export async function placeOrder(
  database: Database,
  customer: SignedIn,
  { id = randomUUID(), total, ...others }: OrderRequest,
): Promise<Row & { id: string }> {
  const row: Row = { id, user_id: customer.id, total_amount: total, status: "pending", ...others };
  const columns = Object.keys(row);
  const [order] = await database.as(customer, (query) =>
    query<Row & { id: string }>(
      `insert into public.orders (${columns.join(", ")})
       values (${columns.map((_, i) => `$${i + 1}`).join(", ")}) returning *`,
      Object.values(row),
    ),
  );
  if (!order) throw new Error("No order came back.");
  return order;
}

/** A customer's order of these lines, at today's prices. */
export async function order(
  database: Database,
  customer: SignedIn,
  lines: [book: TestBook, quantity: number][],
): Promise<string> {
  await fillCart(database, customer, lines);
  const pesewas = lines.reduce((sum, [book, quantity]) => sum + Math.round(book.price * 100) * quantity, 0);
  return (await placeOrder(database, customer, { total: pesewas / 100 })).id;
}

/** Delivers all orders of a customer that are not cancelled: they can then be forgotten. */
export async function deliverOrders(database: Database, customer: SignedIn): Promise<void> {
  await database.query(
    "update public.orders set status = 'delivered' where user_id = $1 and status <> 'cancelled'",
    [customer.id],
  );
}

/** How many copies of a book are in stock. */
export async function stockOf(database: Database, book: { id: string }): Promise<number | null> {
  const [row] = await database.query<{ stock_quantity: number }>(
    "select stock_quantity from public.books where id = $1",
    [book.id],
  );
  return row?.stock_quantity ?? null;
}

/** The movements of a book's stock, oldest first, as "-2 order". */
export async function movementsOf(database: Database, book: { id: string }): Promise<string[]> {
  const rows = await database.query<{ quantity: number; reason: string }>(
    "select quantity, reason from public.stock_movements where book_id = $1 order by id",
    [book.id],
  );
  return rows.map(({ quantity, reason }) => `${quantity} ${reason}`);
}

/** Emails about a status leave at once and one by one, as in a shop whose owner wants no pause. */
export const sendStatusEmailsAtOnce = (database: Database) =>
  database.query("insert into public.shop_settings (id, value) values ('statusEmailSeconds', '0')");
