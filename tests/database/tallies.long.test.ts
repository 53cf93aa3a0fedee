import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import type { Database } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, fillCart, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { payOnline, refundOnline } from "#tests/support/payments.ts";
import { type SignedIn, secretKey } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";
import { wrongTallies } from "#tests/support/tallies.ts";
import { searchStock } from "#tests/torture/stock-search.ts";

/** Changes of nothing, among which one adds up for certain. */
const fold =
  "do 'begin for n in 1..2000 loop insert into private.tallies (counted, rows) values (''nothing'', 0); end loop; end'";

const publishers = [null, "CGP", "Collins", "Unknown"];

/** What the dashboard, the publishers' statistics and the lists' counts say; and what counting all rows gives. */
async function figuresOf(database: Database, admin: SignedIn) {
  const [said] = await database.as(admin, (query) =>
    query<{ figures: object }>(`
      select jsonb_build_object(
        'dashboard', (select to_jsonb(d) from public.dashboard_stats() as d),
        'publishers', (select jsonb_agg(p) from public.list_publisher_statistics() as p),
        'orders', public.admin_count_orders(),
        'delivered', public.admin_count_orders(_status => 'delivered'),
        'due', public.admin_count_orders(_payment => 'due'),
        'paid', public.admin_count_orders(_payment => 'paid'),
        'cancelled and due', public.admin_count_orders(_status => 'cancelled', _payment => 'due'),
        'shipped and paid', public.admin_count_orders(_status => 'shipped', _payment => 'paid'),
        'books', public.admin_count_books(),
        'CGP', public.admin_count_books(_publisher => 'CGP')) as figures`),
  );
  const [counted] = await database.query<{ figures: object }>(`
    select jsonb_build_object(
      'dashboard', jsonb_build_object(
        'total_users', (select count(*) from public.profiles), 'total_books', (select count(*) from public.books),
        'total_stock', (select coalesce(sum(stock_quantity), 0) from public.books),
        'total_orders', (select count(*) from public.orders), 'total_reviews', (select count(*) from public.reviews)),
      'publishers', (select jsonb_agg(p) from (
        select coalesce(publisher, 'Unknown') as publisher, count(*) as books, sum(stock_quantity) as stock
          from public.books group by 1 order by 2 desc, 1) as p),
      'orders', (select count(*) from public.orders),
      'delivered', (select count(*) from public.orders where status = 'delivered'),
      'due', (select count(*) from public.orders where payment_state in ('due', 'part_paid')),
      'paid', (select count(*) from public.orders where payment_state = 'paid'),
      'cancelled and due', (select count(*) from public.orders where status = 'cancelled' and payment_state in ('due', 'part_paid')),
      'shipped and paid', (select count(*) from public.orders where status = 'shipped' and payment_state = 'paid'),
      'books', (select count(*) from public.books),
      'CGP', (select count(*) from public.books where publisher = 'CGP')) as figures`);
  return { said: said?.figures, counted: counted?.figures };
}

async function expectExact(database: Database, admin: SignedIn) {
  const { said, counted } = await figuresOf(database, admin);
  expect(said).toEqual(counted);
  expect(await database.query(wrongTallies)).toEqual([]);
}

describeDatabase("The figures of the back office", (open) => {
  test("are what counting gives after random changes of books and orders, also two at a time", async () => {
    const admin = await addStaff(open(), "admin");
    await searchStock(open(), { seed: 20261122, sequences: inGateOrLong(8, 100) });
    await expectExact(open(), admin);
  });

  test("are what counting gives after random changes of everything else", async () => {
    const database = open();
    const admin = await addStaff(database, "admin");
    const as = (person: SignedIn | typeof secretKey, sql: string, values: unknown[] = []) =>
      send(database, [person, sql, values]);
    const one = async (table: string) =>
      (await database.query<{ id: string }>(`select id from public.${table} order by random() limit 1`))[0]
        ?.id;
    const changes: Record<string, (n: number) => Promise<unknown>> = {
      "add a book": (n) => addBook(database, { publisher: publishers[n % 4], stock: n, price: 10 }),
      "add many books": (n) =>
        database.query(
          `insert into public.books (title, price, publisher, stock_quantity)
           select 'Many', 1, case when i % 2 = 0 then 'CGP' end, i from generate_series(1, $1::int) as i`,
          [n],
        ),
      "change every book": (n) =>
        database.query("update public.books set publisher = $1, stock_quantity = stock_quantity + $2", [
          publishers[n % 4],
          n % 3,
        ]),
      "edit a book": async (n) =>
        as(
          admin,
          "update public.books set publisher = $2, stock_quantity = $3, title = 'Edited' where id = $1",
          [await one("books"), publishers[n % 4], n],
        ),
      "delete a book": async () => as(admin, "delete from public.books where id = $1", [await one("books")]),
      "restore a book": async () => {
        const [deleted] = await database.query(
          `select l.id from public.audit_log l where l.table_name = 'books' and l.action = 'delete'
              and not exists (select from public.books b where b.id::text = l.row_id) order by l.id desc limit 1`,
        );
        if (deleted) await as(admin, "select public.restore_book($1)", [deleted.id]);
      },
      "pay, refund and anonymise": async (n) => {
        const customer = await addCustomer(database);
        const id = await order(database, customer, [
          [await addBook(database, { price: 50, publisher: "CGP" }), 2],
        ]);
        const paid = await payOnline(database, id, 100);
        if (n % 2) await refundOnline(database, admin, paid.id, 30);
        await as(admin, "update public.orders set status = $2 where id = $1", [
          id,
          ["cancelled", "delivered", "shipped"][n % 3],
        ]);
        // Whoever is owed money or a parcel is not forgotten.
        if (n % 3 === 1) await database.query("select public.anonymise_customer($1)", [customer.id]);
      },
      "review and close the account": async (n) => {
        const customer = await addCustomer(database);
        await database.query("insert into public.reviews (book_id, user_id, rating) values ($1, $2, 4)", [
          (await addBook(database)).id,
          customer.id,
        ]);
        if (n % 2) await as(secretKey, "select public.close_account($1)", [customer.id]);
        else await as(admin, "delete from public.reviews where user_id = $1", [customer.id]);
      },
      "have an order refused": async () => {
        const [customer, book] = [
          await addCustomer(database),
          await addBook(database, { stock: 1, price: 10 }),
        ];
        await fillCart(database, customer, [[book, 2]]);
        await expect(
          as(
            customer,
            "insert into public.orders (id, user_id, total_amount, status) values ($1, $2, 20, 'pending')",
            [randomUUID(), customer.id],
          ),
        ).rejects.toThrow("Not enough in stock");
      },
      fold: () => database.query(fold),
      "count anew": () => database.query("select private.count_tallies()"),
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat({ max: 12 })), {
          minLength: 5,
          maxLength: 15,
        }),
        async (steps) => {
          for (const [name, n] of steps) await changes[name]?.(n);
          await expectExact(database, admin);
        },
      ),
      { seed: 20261122, numRuns: inGateOrLong(4, 60) },
    );
  });

  test("stay the same while another transaction merges them, and no one waits for it", async () => {
    const database = open();
    const admin = await addStaff(database, "admin");
    for (let n = 0; n < 5; n += 1) await addBook(database, { publisher: "Waiting" });
    await database.transaction(async (query) => {
      await query(fold);
      await expectExact(database, admin);
      await database.run(`set lock_timeout = '1s'; ${fold}; reset lock_timeout`);
      await addBook(database, { publisher: "Waiting" });
      await expectExact(database, admin);
    });
    await database.query(fold);
    await expectExact(database, admin);
    expect(await database.query("select rows from private.tallies where value = 'Waiting'")).toEqual([
      { rows: 6 },
    ]);
  });

  test("are forgotten with the rows of a table that is truncated", async () => {
    const admin = await addStaff(open(), "admin");
    await addBook(open(), { publisher: "Gone" });
    await open().run("truncate public.books, public.reviews, public.orders cascade");
    await expectExact(open(), admin);
  });

  test("forget what was rolled back", async () => {
    const admin = await addStaff(open(), "admin");
    const failing = open().transaction(async (query) => {
      await query("insert into public.books (title, price, publisher) values ('Never', 1, 'Never')");
      await query(fold);
      throw new Error("undone");
    });
    await expect(failing).rejects.toThrow("undone");
    await expectExact(open(), admin);
  });

  test("are added up by the changes themselves, but never by a transaction that would fail by it", async () => {
    const add = fold.replace("''nothing'', 0", "''tests'', 1");
    const rows =
      "select count(*)::int as rows, sum(rows)::int as sum from private.tallies where counted = 'tests'";
    await open().query(add);
    const [added] = await open().query<{ rows: number; sum: number }>(rows);
    expect(added?.sum).toBe(2000);
    expect(added?.rows).toBeLessThan(1500);
    await open().transaction(async (query) => {
      await query("set transaction isolation level repeatable read");
      await query(rows);
      await open().query(fold);
      await query(add);
    });
    expect(await open().query(rows)).toMatchObject([{ sum: 4000 }]);
    await open().query("delete from private.tallies where counted = 'tests'");
    expect(await open().query(wrongTallies)).toEqual([]);
  });
});
