import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#tests/support/database.ts";
import { addBook, addCustomer, type TestBook } from "#tests/support/database-factories.ts";
import type { SignedIn } from "#tests/support/people.ts";
import { connectTo, testServer } from "#tests/support/test-server.ts";

/*
 * What an order costs the database grows with the number of its statements, those of functions, triggers and foreign keys
 * included. These bounds are what is needed today: raise one only for a statement that nothing else can do without.
 */

let database: Database;
let connection: postgres.Sql;
let release: () => Promise<void>;
let customer: SignedIn;
let statements: string[] = [];

beforeAll(async () => {
  const server = await testServer();
  release = server.release;
  database = await openDatabase();
  const [{ name } = { name: "" }] = await database.query<{ name: string }>(
    "select current_database() as name",
  );
  connection = connectTo(server.access, name, {
    max: 1,
    onnotice: ({ message = "" }) => {
      const [, text] = /Query Text: (.*)/s.exec(message) ?? [];
      if (text) statements.push(text);
    },
  });
  await connection.unsafe(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_level = notice;
    set plan_cache_mode = force_generic_plan;`);
  customer = await addCustomer(database);
  // What is asked once for each connection, while plans are made, does not count.
  await addToCart(await addBook(database, { price: 10 }));
  await placeOrder(10);
});
afterAll(async () => {
  await connection?.end({ timeout: 5 });
  await database?.close();
  await release?.();
});

/** The statements that one of the customer's takes, itself included. */
async function statementsOf(text: string, values: (string | number)[]): Promise<string[]> {
  await connection.begin(async (transaction) => {
    await transaction.unsafe(
      // The tallies are folded after one change in 100, by chance: not after these.
      "select setseed(0.5), set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)",
      [JSON.stringify({ role: "authenticated", sub: customer.id })],
    );
    statements = [];
    await transaction.unsafe(text, values);
  });
  return statements;
}

const addToCart = (book: TestBook) => statementsOf("select public.add_to_cart($1, 1)", [book.id]);
const placeOrder = (total: number) =>
  statementsOf(
    "insert into public.orders (id, user_id, total_amount, status, shipping_address) values ($1, $2, $3, 'pending', 'Accra')",
    [randomUUID(), customer.id ?? "", total],
  );

/** Fails with the statements themselves, so that the new one is found. */
function expectAtMost(most: number, all: string[]): void {
  expect(all.length, all.join("\n\n")).toBeLessThanOrEqual(most);
  // Otherwise the server has stopped telling them.
  expect(all.length).toBeGreaterThan(most / 2);
}

test("Adding a book to the cart takes few statements", async () => {
  expectAtMost(8, await addToCart(await addBook(database)));
});

test("An order of one book takes few statements", async () => {
  await connection.unsafe("delete from public.cart_items");
  await addToCart(await addBook(database, { price: 10 }));
  expectAtMost(45 + 9, await placeOrder(10));
});

test("each further book adds a fixed number of statements", async () => {
  await connection.unsafe("delete from public.cart_items");
  for (let n = 0; n < 3; n += 1) await addToCart(await addBook(database, { price: 10 }));
  expectAtMost(45 + 3 * 9, await placeOrder(30));
});
