import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import type { Database } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  order,
  placeOrder,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { payOnline, refundOnline } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";
import { searchStock } from "#tests/torture/stock-search.ts";

const YEAR = ["2026-01-01", "2026-12-31"] as const;

/** Every report of a period, as staff read it. */
async function reportsOf(database: Database, admin: SignedIn, [from, to]: readonly [string, string]) {
  const [row] = await database.as(admin, (query) =>
    query<{ reports: object }>(
      `select jsonb_build_object(
         'days', (select jsonb_agg(s order by s.start) from public.report_sales_over_time($1, $2, 'day') as s),
         'months', (select jsonb_agg(s order by s.start) from public.report_sales_over_time($1, $2, 'month') as s),
         'publishers', (select jsonb_object_agg(s.key, jsonb_build_array(s.copies, s.books)) from public.report_sales($1, $2, 'publisher') as s where s.key is not null),
         'titles', (select jsonb_object_agg(s.key, jsonb_build_array(s.orders, s.copies, s.books)) from public.report_sales($1, $2, 'title', 1000) as s where s.key is not null),
         'regions', (select jsonb_object_agg(s.key, jsonb_build_array(s.orders, s.copies, s.books, s.delivery)) from public.report_sales($1, $2, 'region') as s),
         'customers', (select jsonb_object_agg(s.key, jsonb_build_array(s.orders, s.copies, s.books, s.delivery)) from public.report_sales($1, $2, 'customer', 1000) as s),
         'totals', (select jsonb_agg(distinct t.total) from unnest('{title,publisher,subject,class,region,customer}'::text[]) as by,
           lateral (select sum(s.books + s.delivery) as total from public.report_sales($1, $2, by, 1) as s) as t),
         'margins', (select jsonb_object_agg(s.key, jsonb_build_array(s.copies, s.costed, s.books, s.cost)) from public.report_margins($1, $2, 'title', 1000) as s),
         'margin', (select jsonb_agg(distinct t.total) from unnest('{title,publisher,subject,class}'::text[]) as by,
           lateral (select sum(s.books - s.cost) as total from public.report_margins($1, $2, by, 1) as s) as t),
         'owed', (select jsonb_object_agg(s.key, s.owed) from public.report_owed(1000) as s)) as reports`,
      [from, to],
    ),
  );
  return row?.reports;
}

/** The same reports, recounted from the orders and their lines. */
async function countedReports(database: Database, [from, to]: readonly [string, string]) {
  const [row] = await database.query<{ reports: object }>(
    `with placed as (
       select o.*, (o.created_at at time zone 'UTC')::date as day,
              (select coalesce(sum(i.quantity), 0) from public.order_items i where i.order_id = o.id) as copies,
              (select coalesce(sum(i.quantity * i.price), 0) from public.order_items i where i.order_id = o.id) as books
         from public.orders o where o.status <> 'cancelled'
     ), orders as (select * from placed where day between $1::date and $2::date),
     lines as (select i.*, b.publisher as maker, round(100 * i.quantity * c.average) / 100 as cost
                 from public.order_items i join orders o on o.id = i.order_id
                 left join public.books b on b.id = i.sold_book_id
                 left join lateral (select average from private.book_costs k where k.book_id = i.sold_book_id and k.since <= o.created_at
                                     order by k.since desc limit 1) as c on true)
     select jsonb_build_object(
       'days', (select jsonb_agg(d order by d.start) from (
         select day as start, count(*) as orders, sum(copies) as copies, sum(books) as books, sum(delivery_fee) as delivery from orders group by 1) as d),
       'months', (select jsonb_agg(m order by m.start) from (
         select greatest(date_trunc('month', day)::date, $1) as start, count(*) as orders, sum(copies) as copies, sum(books) as books, sum(delivery_fee) as delivery from orders group by 1) as m),
       'publishers', (select jsonb_object_agg(key, f) from (
         select coalesce(maker, '') as key, jsonb_build_array(sum(quantity), sum(quantity * price)) as f from lines group by 1) as p),
       'titles', (select jsonb_object_agg(key, f) from (
         select sold_book_id as key, jsonb_build_array(count(*), sum(quantity), sum(quantity * price)) as f from lines group by 1) as t),
       'regions', (select jsonb_object_agg(key, f) from (
         select coalesce(region, '') as key, jsonb_build_array(count(*), sum(copies), sum(books), sum(delivery_fee)) as f from orders group by 1) as r),
       'customers', (select jsonb_object_agg(key, f) from (
         select coalesce(user_id::text, '') as key, jsonb_build_array(count(*), sum(copies), sum(books), sum(delivery_fee)) as f from orders group by 1) as c),
       'margins', (select jsonb_object_agg(key, f) from (
         select sold_book_id as key, jsonb_build_array(sum(quantity), coalesce(sum(quantity) filter (where cost is not null), 0),
           round(coalesce(sum(quantity * price) filter (where cost is not null), 0), 2), round(coalesce(sum(cost), 0), 2)) as f
           from lines group by 1) as m),
       'margin', jsonb_build_array((select round(sum(coalesce(quantity * price - cost, 0)), 2) from lines)),
       'totals', jsonb_build_array((select sum(books + delivery_fee) from orders)),
       'owed', (select jsonb_object_agg(key, f) from (
         select coalesce(user_id::text, '') as key, sum(greatest(total_amount - paid_amount, 0)) as f from placed
          group by 1 having sum(greatest(total_amount - paid_amount, 0)) <> 0) as w)) as reports`,
    [from, to],
  );
  return row?.reports;
}

describeDatabase("The sums of sales", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const expectExact = async () => {
    expect(await open().query("select * from private.wrong_sales()")).toEqual([]);
    for (const period of [YEAR, ["2026-02-10", "2026-02-20"], ["2026-01-15", "2026-04-02"]] as const)
      expect(await reportsOf(open(), admin, period)).toEqual(await countedReports(open(), period));
  };

  test("equal a recount after random orders, cancellations, deletions and restores, even concurrent ones", {
    tags: "long",
  }, async () => {
    await searchStock(open(), { seed: 20261126, sequences: inGateOrLong(6, 80) });
    await expectExact();
  });

  test("equal a recount after random payments, refunds, and changed lines and days", {
    tags: "long",
  }, async () => {
    const database = open();
    const people = [await addCustomer(database), await addCustomer(database)];
    const books: TestBook[] = [];
    for (const publisher of [null, "CGP", "Collins"])
      books.push(await addBook(database, { publisher, price: 12.35, stock: 1000, subject: publisher }));
    const anOrder = async (n: number) =>
      (
        await database.query<{ id: string; total_amount: string }>(
          "select id, total_amount from public.orders order by md5(id::text || $1) limit 1",
          [n],
        )
      )[0]?.id;
    const changes: Record<string, (n: number) => Promise<unknown>> = {
      place: async (n) => {
        const lines = books.slice(n % 3).map((book): [TestBook, number] => [book, (n % 4) + 1]);
        const id = await order(database, people[n % 2] as SignedIn, lines);
        // The last second of a month or the first of the next, in Ghana.
        const moment = [
          "2026-01-31 23:59:59.999+00",
          "2026-02-01 00:00:00+00",
          "2026-02-14 23:30:00-02",
          "2026-04-01 08:00+00",
        ][n % 4];
        await database.query("update public.orders set created_at = $2, status = 'pending' where id = $1", [
          id,
          moment,
        ]);
      },
      "pay and refund": async (n) => {
        const customer = people[n % 2] as SignedIn;
        const id = await order(database, customer, [[books[n % 3] as TestBook, 2]]);
        const paid = await payOnline(database, id, 24.7);
        if (n % 2) await refundOnline(database, admin, paid.id, (n % 5) + 1);
      },
      "set status": async (n) =>
        send(database, [
          admin,
          "update public.orders set status = $2 where id = $1",
          [await anOrder(n), ["cancelled", "pending", "shipped"][n % 3]],
        ]).catch(() => {}),
      "delete an unpaid order": async (n) =>
        send(database, [admin, "delete from public.orders where id = $1", [await anOrder(n)]]).catch(
          () => {},
        ),
      "change a line": async (n) => {
        const id = await anOrder(n);
        const [line] = await database.query<{ id: string }>(
          "select id from public.order_items where order_id = $1 order by id limit 1",
          [id],
        );
        // An earlier step may have taken its last line.
        if (!line) return;
        if (n % 3)
          await database.query("update public.order_items set quantity = $2 where id = $1", [line.id, n + 1]);
        else await database.query("delete from public.order_items where id = $1", [line.id]);
        await database.query(
          `update public.orders o set total_amount = o.delivery_fee + (
             select coalesce(sum(i.quantity * i.price), 0) from public.order_items i where i.order_id = o.id) where o.id = $1`,
          [id],
        );
      },
      "change the order and perhaps undo it": async (n) => {
        const customer = people[n % 2] as SignedIn;
        const lines = books.slice(n % 3).map((book): [TestBook, number] => [book, (n % 4) + 1]);
        const id = await order(database, customer, lines);
        const kept = lines.slice(0, (n % lines.length) + 1).map(([{ id: book }]) => book);
        await send(database, [
          admin,
          `select public.change_order(id, updated_at, $2, array(select $3::int from unnest($2::uuid[])), cardinality($2::uuid[]) * $3 * 12.35)
             from public.orders where id = $1`,
          [id, kept, (n % 5) + 1],
        ]);
        if (n % 2)
          await send(database, [
            admin,
            `select public.undo_order_change(l.id) from public.audit_log l join public.orders o on o.id::text = l.row_id
              where l.row_id = $1 and l.action = 'change' and o.status = 'pending' order by l.id desc limit 1`,
            [id],
          ]);
      },
      "move the order": async (n) =>
        database.query(
          "update public.orders set region = $2, delivery_fee = $3, total_amount = total_amount - delivery_fee + $3 where id = $1",
          [await anOrder(n), ["Volta", null][n % 2], n % 4],
        ),
      "receive at a new cost and perhaps undo it": async (n) => {
        const id = randomUUID();
        const lines = books.map(({ id: book_id }) => ({
          book_id,
          copies: n + 1,
          damaged: 0,
          cost: n % 5 ? n + 0.37 : null,
        }));
        await send(database, [
          admin,
          "select public.book_receipt($1, $2::jsonb)",
          [id, JSON.stringify(lines)],
        ]);
        if (n % 3 === 0) await send(database, [admin, "select public.undo_receipt($1)", [id]]);
      },
      "two at once": async (n) =>
        Promise.all(
          people.map((person, index) => order(database, person, [[books[(n + index) % 3] as TestBook, 1]])),
        ),
      fold: () => database.query("select private.fold_sales()"),
      "count anew": () => database.query("select private.count_sales()"),
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat({ max: 12 })), {
          minLength: 5,
          maxLength: 14,
        }),
        async (steps) => {
          // The number of orders per customer and hour is limited.
          await database.query(
            "update public.orders set created_at = '2026-03-01' where created_at > now() - interval '1 hour' and status <> 'cancelled'",
          );
          await database.query("update public.orders set status = 'delivered' where status = 'pending'");
          for (const [name, n] of steps) await changes[name]?.(n);
          await expectExact();
        },
      ),
      { numRuns: inGateOrLong(7, 80) },
    );
    const [changed] = await database.query(
      "select count(*)::int as n from public.audit_log where action = 'change'",
    );
    expect(changed?.n, "orders were changed and changes undone").toBeGreaterThan(3);
    const [costs] = await database.query("select count(distinct average)::int as n from private.book_costs");
    expect(costs?.n, "costs moved").toBeGreaterThan(3);
  });

  test("a line changed in a cancelled order counts once it is reopened, and the first of a month counts in every period", async () => {
    await open().query("truncate public.orders cascade");
    const customer = await addCustomer(open());
    const id = await order(open(), customer, [[await addBook(open(), { price: 10, stock: 9 }), 2]]);
    const setStatus = (status: string) =>
      open().as(admin, (query) => query("update public.orders set status = $2 where id = $1", [id, status]));
    // Its month's sum is stored, and what takes the order away is not yet in it.
    await open().query("select private.fold_sales()");
    await setStatus("cancelled");
    await open().query("update public.order_items set quantity = 3 where order_id = $1", [id]);
    await expectExact();
    await setStatus("pending");
    await open().query(
      "update public.orders set created_at = '2026-04-01', total_amount = 30 where id = $1",
      [id],
    );
    for (let n = 0; n < 2; n += 1) {
      await expectExact();
      await open().query("select private.fold_sales()");
    }
  });

  test("the sales over time of one publisher, title, region or customer match its orders, folded or not", async () => {
    await open().query("truncate public.orders cascade");
    const customer = await addCustomer(open());
    const [mine, other] = [
      await addBook(open(), { price: 10, stock: 50, publisher: "Narrow" }),
      await addBook(open(), { price: 7, stock: 50, publisher: "Wide" }),
    ];
    for (const moment of ["2026-01-31", "2026-02-01", "2026-02-28", "2026-04-02"]) {
      const id = await order(open(), customer, [
        [mine, 1],
        [other, 2],
      ]);
      await open().query("update public.orders set created_at = $2, region = 'Volta' where id = $1", [
        id,
        moment,
      ]);
    }
    const narrowed = async (by: string, key: string) =>
      (
        await open().as(admin, (query) =>
          query(
            "select start::text, copies::int, books::float from public.report_sales_over_time('2026-01-15', '2026-04-02', 'month', $1, $2)",
            [by, key],
          ),
        )
      ).map(({ start, copies, books }) => `${start} ${copies} ${books}`);
    for (let n = 0; n < 2; n += 1) {
      const own = ["2026-01-15 1 10", "2026-02-01 2 20", "2026-04-01 1 10"];
      expect(await narrowed("publisher", "Narrow")).toEqual(own);
      expect(await narrowed("title", mine.id)).toEqual(own);
      const all = ["2026-01-15 3 24", "2026-02-01 6 48", "2026-04-01 3 24"];
      expect(await narrowed("region", "Volta")).toEqual(all);
      expect(await narrowed("customer", customer.id ?? "")).toEqual(all);
      expect(await narrowed("publisher", "Nobody")).toEqual([]);
      for (const key of ["no id", mine.id.toUpperCase(), "00000000-0000-0000-0000-00000000000x", "\n"])
        expect([...(await narrowed("title", key)), ...(await narrowed("customer", key))]).toEqual([]);
      await open().query("select private.fold_sales()");
    }
    await open().query("update public.orders set user_id = null where created_at = '2026-02-01'");
    for (let n = 0; n < 2; n += 1) {
      expect(await narrowed("customer", "")).toEqual(["2026-02-01 3 24"]);
      await open().query("select private.fold_sales()");
    }
  });

  test("a fold skips uncommitted changes, and nobody waits for it", async () => {
    const customer = await addCustomer(open());
    const book = await addBook(open(), { price: 10, stock: 50 });
    await order(open(), customer, [[book, 1]]);
    await open().transaction(async (query) => {
      await query("select private.fold_sales()");
      expect(await query("select count(*)::int as n from private.sales_changes")).toEqual([{ n: 0 }]);
      await order(open(), customer, [[book, 2]]);
      await open().run("set lock_timeout = '1s'; select private.fold_sales(); reset lock_timeout");
      await expectExact();
    });
    await open().query("select private.fold_sales()");
    await expectExact();
  });

  test("a report's last line sums up what it leaves out, so that its lines add up to the total", async () => {
    const customer = await addCustomer(open());
    const books: TestBook[] = [];
    for (const title of ["First", "Second", "Third"])
      books.push(await addBook(open(), { title, price: 10, stock: 50, publisher: `House of ${title}` }));
    await open().query("truncate public.orders cascade");
    await order(
      open(),
      customer,
      books.map((book, index) => [book, 3 - index]),
    );
    const report = (by: string) =>
      open().as(admin, (query) =>
        query(
          "select label, orders::int, copies::int, books::float from public.report_sales(current_date, current_date, $1, 1)",
          [by],
        ),
      );
    expect(await report("title")).toEqual([
      { label: "First", orders: 1, copies: 3, books: 30 },
      { label: null, orders: 2, copies: 3, books: 30 },
    ]);
    expect(await report("publisher")).toEqual([
      { label: "House of First", orders: null, copies: 3, books: 30 },
      { label: null, orders: null, copies: 3, books: 30 },
    ]);
    expect(await report("customer")).toEqual([{ label: "A customer", orders: 1, copies: 6, books: 60 }]);
    await open().query("delete from public.books where id = $1", [books[0]?.id]);
    expect((await report("title"))[0]).toMatchObject({ label: "First", copies: 3 });
  });

  test("amounts owed are listed by the order's age until it is paid or cancelled", async () => {
    await open().query("truncate public.orders cascade");
    const customer = await addCustomer(open(), { full_name: "Mrs Adjei" });
    const book = await addBook(open(), { price: 10, stock: 50 });
    const placedBefore = async (days: number) => {
      const id = await order(open(), customer, [[book, 1]]);
      await open().query(
        "update public.orders set created_at = now() - make_interval(days => $2) where id = $1",
        [id, days],
      );
      return id;
    };
    const ids: string[] = [];
    for (const days of [0, 30, 31, 60, 61, 90, 91, 400]) ids.push(await placedBefore(days));
    const owed = async () =>
      (
        await open().as(admin, (query) =>
          query(
            "select label, days_30::int, days_60::int, days_90::int, older::int, owed::int from public.report_owed()",
          ),
        )
      )[0];
    expect(await owed()).toEqual({
      label: "Mrs Adjei",
      days_30: 20,
      days_60: 20,
      days_90: 20,
      older: 20,
      owed: 80,
    });
    await payOnline(open(), ids[0] ?? "", 10);
    await open().as(admin, (query) =>
      query("update public.orders set status = 'cancelled' where id = $1", [ids[7]]),
    );
    expect(await owed()).toMatchObject({ days_30: 10, older: 10, owed: 60 });
  });

  test("customers of one name differ by their email, or phone without a name, for staff with the duty People alone", async () => {
    await open().query("truncate public.orders cascade");
    const book = await addBook(open(), { price: 10, stock: 50 });
    const emails: string[] = [];
    for (const full_name of ["Mrs Adjei", "Mrs Adjei", null]) {
      const customer = await addCustomer(open(), { full_name, phone: "+233201234567" });
      const [profile] = await open().query<{ email: string }>(
        "update public.profiles set full_name = $2, phone = '+233201234567' where id = $1 returning email",
        [customer.id, full_name],
      );
      emails.push(profile?.email ?? "");
      await order(open(), customer, [[book, 1]]);
    }
    const clerk = await addCustomer(open());
    const give = (duty: string) =>
      open().query("insert into public.staff_duties (user_id, duty) values ($1, $2)", [clerk.id, duty]);
    const named = async (person: SignedIn) => {
      const calls = ["report_owed()", "report_sales(current_date, current_date, 'customer')"];
      const found = calls.map(async (call) =>
        (
          await open().as(person, (query) =>
            query(`select label, contact from public.${call} where key is not null order by 1, 2`),
          )
        ).map(({ label, contact }) => `${label}: ${contact}`),
      );
      const [owed, sold] = await Promise.all(found);
      expect(sold).toEqual(owed);
      return owed;
    };
    const [first, second, nameless] = emails;
    const all = [`Mrs Adjei: ${first}`, `Mrs Adjei: ${second}`, `${nameless}: +233 20 123 4567`].sort();
    expect((await named(admin))?.sort()).toEqual(all);
    await give("reports");
    expect((await named(clerk))?.sort()).toEqual(all.map((line) => line.replace(/: .*/, ": null")));
    await give("people");
    expect((await named(clerk))?.sort()).toEqual(all);
  });

  test("what is owed beyond the listed customers is the last line, changes of a moment ago included", async () => {
    await open().query("truncate public.orders cascade");
    const book = await addBook(open(), { price: 10, stock: 500 });
    const customers = [await addCustomer(open()), await addCustomer(open()), await addCustomer(open())];
    const owed = async () =>
      (
        await open().as(admin, (query) =>
          query("select key, days_30::int, older::int, owed::int from public.report_owed(1)"),
        )
      ).map((line) => Object.values(line));
    const buy = async (at: number, copies: number, days = 0) => {
      const id = await order(open(), customers[at] as SignedIn, [[book, copies]]);
      await open().query(
        "update public.orders set created_at = now() - make_interval(days => $2) where id = $1",
        [id, days],
      );
      return id;
    };
    await buy(0, 3);
    const large = await buy(1, 4, 200);
    await buy(2, 2, 200);
    await open().query("select private.fold_sales()");
    expect(await owed()).toEqual([
      [customers[1]?.id, 0, 40, 40],
      [null, 30, 20, 50],
    ]);
    // The largest sum of those stored is no longer one; then the smallest becomes the largest.
    await payOnline(open(), large, 40);
    expect(await owed()).toEqual([
      [customers[0]?.id, 30, 0, 30],
      [null, 0, 20, 20],
    ]);
    await buy(2, 5);
    expect(await owed()).toEqual([
      [customers[2]?.id, 50, 20, 70],
      [null, 30, 0, 30],
    ]);
    await open().query("select private.fold_sales()");
    expect((await owed())[0]).toEqual([customers[2]?.id, 50, 20, 70]);
  });

  test("a period's pieces, some of them subtracted, are each of its days once and no other day", async () => {
    const wrong = await open().query(
      `with periods as (
         select d.dimension, g.grain, f.day::date as first, f.day::date + n as last
           from unnest('{book,customer}'::text[]) as d (dimension), unnest('{month,day,null}'::text[]) as g (grain),
                generate_series(timestamp '2028-01-20', timestamp '2028-03-03', interval '1 day') as f (day), generate_series(0, 84, 6) as n
       ), pieces as materialized (
         select q.*, p.sign, p.grain as piece, p.first as begins, p.last as ends
           from periods q, lateral private.sales_pieces(q.dimension, q.first, q.last, nullif(q.grain, 'null')) as p
       ), days as (
         select q.dimension, q.grain, q.first, q.last, d.day, sum(q.sign) as times,
                bool_or(q.piece = 'month' and (extract(day from q.begins) <> 1 or extract(day from q.ends + 1) <> 1)) as is_part
           from pieces q, generate_series(q.begins, q.ends, interval '1 day') as d (day) group by 1, 2, 3, 4, 5
       )
       select dimension, grain, first::text, last::text from days group by dimension, grain, first, last
       having bool_or(times <> case when day between first and last then 1 else 0 end) or bool_or(is_part)
           or count(*) filter (where day between first and last) <> last - first + 1
        limit 3`,
    );
    expect(wrong).toEqual([]);
    expect(
      await open().query(
        "select sign, grain, first::text, last::text from private.sales_pieces('book', '2026-03-15', '2026-05-20', null)",
      ),
    ).toEqual([
      { sign: 1, grain: "month", first: "2026-04-01", last: "2026-05-31" },
      { sign: 1, grain: "day", first: "2026-03-15", last: "2026-03-31" },
      { sign: -1, grain: "day", first: "2026-05-21", last: "2026-05-31" },
    ]);
  });

  test("takings are each day's settled payments by method, with refunds separate", async () => {
    const customer = await addCustomer(open());
    const book = await addBook(open(), { price: 40, stock: 5 });
    const id = await order(open(), customer, [[book, 1]]);
    const record = (kind: string, method: string, amount: number, day: string) =>
      open().as(admin, (query) =>
        query("select public.record_payment(gen_random_uuid(), $1, $2, $3, $4, $5)", [
          id,
          kind,
          method,
          amount,
          day,
        ]),
      );
    await record("payment", "cash", 25, "2026-02-01");
    await record("payment", "bank_transfer", 15, "2026-02-01");
    await record("refund", "cash", 5, "2026-02-03");
    expect(
      await open().as(admin, (query) =>
        query(
          "select day::text, method, payments::int, paid::int, refunded::int from public.report_takings('2026-02-01', '2026-02-03')",
        ),
      ),
    ).toEqual([
      { day: "2026-02-03", method: "cash", payments: 1, paid: 0, refunded: 5 },
      { day: "2026-02-01", method: "bank_transfer", payments: 1, paid: 15, refunded: 0 },
      { day: "2026-02-01", method: "cash", payments: 1, paid: 25, refunded: 0 },
    ]);
  });

  test("unsold books are in stock without a sale in the period; wanted books have customers waiting or wishing for them", async () => {
    const customer = await addCustomer(open());
    const [sold, idle] = [await addBook(open(), { title: "Sold" }), await addBook(open(), { title: "Idle" })];
    const gone = await addBook(open(), { title: "Sold out", stock: 0 });
    await fillCart(open(), customer, [[sold, 1]]);
    await placeOrder(open(), customer, { total: sold.price });
    await open().query("insert into public.stock_alerts (user_id, book_id) values ($1, $2)", [
      customer.id,
      gone.id,
    ]);
    await open().query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [
      customer.id,
      idle.id,
    ]);
    const titles = async (call: string) =>
      (await open().as(admin, (query) => query<{ title: string }>(`select title from public.${call}`))).map(
        ({ title }) => title,
      );
    const unsold = await titles("report_unsold(current_date, current_date, 1000)");
    expect(unsold).toContain("Idle");
    expect(unsold).not.toContain("Sold");
    expect(unsold).not.toContain("Sold out");
    expect((await titles("report_wanted()")).slice(0, 2)).toEqual(["Sold out", "Idle"]);
  });

  test.each([
    ["report_sales('2026-02-02', '2026-02-01', 'title')", "PT400"],
    ["report_sales('2000-01-01', '2026-02-01', 'title')", "PT400"],
    ["report_sales('2026-01-01', '2026-02-01', 'password')", "PT400"],
    ["report_sales_over_time('2020-01-01', '2026-02-01', 'day')", "PT400"],
    ["report_sales_over_time('2026-01-01', '2026-02-01', 'century')", "PT400"],
    ["report_takings(null, '2026-02-01')", "PT400"],
  ])("an invalid request is refused with a message: %s", async (call, code) => {
    expect(await refusalOf(open().as(admin, (query) => query(`select * from public.${call}`)))).toMatchObject(
      { code },
    );
  });

  test("a check stores how many sums are wrong and corrects none of them", async () => {
    await open().query("select private.count_sales()");
    const check = async () =>
      (
        await open().as(admin, (query) =>
          query<{ wrong: number }>("select public.check_sales()::int as wrong"),
        )
      )[0]?.wrong;
    expect(await check()).toBe(0);
    await open().query(
      "insert into private.sales_changes (day, is_line, region, orders, owed) values ('2026-02-01', false, 'Oti', 1, 500)",
    );
    for (let n = 0; n < 2; n += 1) expect(await check()).toBe(5);
    expect(
      await open().as(admin, (query) => query("select wrong::int from public.read_sales_check()")),
    ).toEqual([{ wrong: 5 }]);
    await open().query("select private.count_sales()");
    expect(await check()).toBe(0);
  });
});
