import type { Database } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import type { SignedIn } from "#tests/support/people.ts";
import { acceptQuote, offerQuote } from "#tests/support/quotes.ts";

/*
 * Statements that name many rows, as a PATCH or DELETE by filter sends them, all at the same time. Index scans from opposite
 * ends make the plans lock the same rows in opposite orders.
 */

const backwards =
  "set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off";

const byPrice = "where price > 0 and title like $1";
const byStock = "where stock_quantity >= 0 and title like $1";
const mine = "user_id = $1";

type Crowd = {
  admin: SignedIn;
  customer: SignedIn;
  others: SignedIn[];
  offers: { customer: SignedIn; id: string; version: number }[];
  mark: string;
};

/** The requests sent concurrently in each round; $1 is what their books or orders have in common. */
const requests: [of: "books" | "orders", statement: string][] = [
  ["books", `update public.books set edition = 'First' ${byPrice}`],
  ["books", `update public.books set edition = 'Second' ${byStock}`],
  ["books", `delete from public.books ${byStock} and price = 8`],
  ["orders", `update public.orders set status = 'cancelled' where total_amount > 0 and ${mine}`],
  ["orders", `update public.orders set status = 'pending' where created_at > '2000-01-01' and ${mine}`],
  ["orders", `delete from public.orders where status = 'cancelled' and total_amount < 4 and ${mine}`],
];

async function gather(database: Database, mark: string): Promise<Crowd> {
  const admin = await addStaff(database, "admin");
  const customer = await addCustomer(database);
  const books = [];
  for (let n = 1; n <= 8; n += 1)
    books.push(await addBook(database, { title: `${mark} ${n}`, price: n, stock: 1_000 - n }));
  // Dearer orders are older, and each takes the books from another end.
  for (let n = 6; n >= 1; n -= 1) {
    const [first, second] = [books[n % 7], books[(n + 3) % 7]];
    if (first && second)
      await order(database, customer, [
        [first, n],
        [second, 1],
      ]);
  }
  const others = [await addCustomer(database), await addCustomer(database)];
  for (const other of others)
    await database.query(
      "insert into public.cart_items (user_id, book_id) select $1, id from public.books where title like $2 and price < 8",
      [other.id, `${mark} %`],
    );
  const offers = [];
  for (const few of [books, books.toReversed()]) {
    const school = await addCustomer(database);
    const offer = await offerQuote(
      database,
      { customer: school, admin },
      few.map((book) => [book, 1, 1]),
    );
    offers.push({ customer: school, ...offer });
  }
  return { admin, customer, others, offers, mark };
}

async function send(database: Database, crowd: Crowd): Promise<string[]> {
  const failures: string[] = [];
  const attempt = (work: Promise<unknown>) =>
    work.catch((error: { code?: string; message: string }) => {
      if (!error.code?.startsWith("PT4")) failures.push(`${error.code}: ${error.message}`);
    });
  const { admin, customer, others, offers, mark } = crowd;
  await Promise.all([
    ...requests.map(([of, statement]) =>
      attempt(
        database.as(admin, async (query) => {
          for (const setting of backwards.split("; ")) await query(setting);
          await query(statement, [of === "books" ? `${mark} %` : customer.id]);
        }),
      ),
    ),
    ...offers.map((offer) => attempt(acceptQuote(database, offer.customer, offer.id, offer.version))),
    ...others.map(({ id, role }) =>
      attempt(
        database.as({ id, role }, (query) =>
          query("insert into public.orders (user_id, total_amount, status) values ($1, 28, 'pending')", [id]),
        ),
      ),
    ),
  ]);
  return failures;
}

/** Rounds of all requests at once; returns how many were sent and what failed other than by being refused. */
export async function countDeadlocks(database: Database, rounds: number) {
  const failures: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    failures.push(...(await send(database, await gather(database, `Crowd ${round}`))));
  return { requests: rounds * (requests.length + 4), failures };
}
