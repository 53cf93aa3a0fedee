import { randomUUID } from "node:crypto";
import type { Sql } from "#server/database/sql.ts";

/** What customers do in a database whose server is killed under them: no more than it takes to place an order. */

const startingStock = 1_000_000;

/** A book at GH₵100; answers its id. */
export async function addBook(sql: Sql): Promise<string> {
  const [book] = await sql.query<{ id: string }>(
    "insert into public.books (title, price, stock_quantity) values ('Wanted', 100, $1) returning id",
    [startingStock],
  );
  return book?.id ?? "";
}

async function newCustomer(sql: Sql): Promise<string> {
  const id = randomUUID();
  await sql.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
    id,
    `${id}@school.example`,
  ]);
  return id;
}

/** The statements of a checkout, in the customer's name; confirmed as soon as the database has answered. */
async function placeOrder(sql: Sql, customer: string, book: string): Promise<string> {
  const id = randomUUID();
  await sql.transaction(async (transaction) => {
    const claims = JSON.stringify({ role: "authenticated", sub: customer });
    await transaction.query(
      "select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)",
      [claims],
    );
    await transaction.query("select public.add_to_cart($1, 1)", [book]);
    await transaction.query("insert into public.orders (id, user_id, total_amount) values ($1, $2, 100)", [
      id,
      customer,
    ]);
  });
  return id;
}

/** A customer may place at most twenty orders an hour. */
const ordersOfACustomer = 15;

/** Customers one after the other; each call places an order of one copy and answers its id once it is confirmed. */
export function customersOf(sql: Sql, book: string): () => Promise<string> {
  let customer = "";
  let placed = 0;
  return async () => {
    if (placed % ordersOfACustomer === 0) customer = await newCustomer(sql);
    placed += 1;
    return placeOrder(sql, customer, book);
  };
}
