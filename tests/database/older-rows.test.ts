import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import { addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";

/** Brings rows in as restoring a backup does, without triggers, and completes them as for a backup from before the first release. */
const restored = (rows: string) =>
  `set session_replication_role = replica; ${rows}; reset session_replication_role; select private.complete_older_rows()`;

describeOnOwnServerToo("Rows of a backup from before the first release", (open) => {
  test("orders from an older backup get the sum of their payments, and nothing else changes", async () => {
    const id = randomUUID();
    await open().run(
      restored(`
        insert into public.orders (id, total_amount, updated_at) values ('${id}', 100, '2026-01-01');
        insert into public.payments (order_id, kind, method, amount, state, paid_on, settled_at)
        values ('${id}', 'payment', 'cash', 40, 'settled', '2026-01-01', now())`),
    );
    const rows = await open().query(
      "select paid_amount::text as paid, payment_state as state, updated_at::date::text as changed from public.orders where id = $1",
      [id],
    );
    expect(rows).toEqual([{ paid: "40.00", state: "part_paid", changed: "2026-01-01" }]);
    expect(await open().query("select from public.audit_log where table_name = 'orders'")).toEqual([]);
    const disabled = "select from pg_trigger where not tgisinternal and tgenabled <> 'O'";
    expect(await open().query(disabled)).toEqual([]);
  });

  test("books, orders, accounts and reviews from an older backup are counted", async () => {
    await open().run(
      restored(`
        truncate public.books, public.orders, public.profiles cascade;
        insert into auth.users (id, email) values ('${randomUUID()}', 'a@school.example');
        insert into public.profiles (id) select id from auth.users where email = 'a@school.example';
        insert into public.books (title, price, publisher, stock_quantity)
        values ('One', 1, 'CGP', 2), ('Two', 1, 'CGP', 3), ('Three', 1, null, 4);
        insert into public.orders (id, total_amount) values ('${randomUUID()}', 100)`),
    );
    expect(
      await open().query("select counted, value, rows, copies from private.tallies order by 1, 2"),
    ).toEqual([
      { counted: "books", value: "", rows: 1, copies: 4 },
      { counted: "books", value: "CGP", rows: 2, copies: 5 },
      { counted: "orders", value: "pending due", rows: 1, copies: 0 },
      { counted: "profiles", value: "", rows: 1, copies: 0 },
      { counted: "reviews", value: "", rows: 0, copies: 0 },
    ]);
  });

  test("an import from before step-by-step imports counts as fully applied, so that it can be undone", async () => {
    await open().run(
      restored(`
        insert into public.book_imports (id, status, applied_at, added)
        values ('0b5c1f1e-0000-4000-8000-000000000001', 'applied', now(), 1),
               ('0b5c1f1e-0000-4000-8000-000000000002', 'staged', null, 0);
        insert into public.books (id, title, price) values ('0b5c1f1e-0000-4000-8000-000000000003', 'Added', 5);
        insert into public.book_import_rows (import_id, line, fields, action, book_id)
        select id, 7, '{}', case status when 'applied' then 'add' end, '0b5c1f1e-0000-4000-8000-000000000003'
          from public.book_imports`),
    );
    expect(
      await open().query(
        "select status, total_rows, applied_rows, applied_line from public.book_imports order by id",
      ),
    ).toEqual([
      { status: "applied", total_rows: 1, applied_rows: 1, applied_line: 7 },
      { status: "staged", total_rows: 0, applied_rows: 0, applied_line: 0 },
    ]);
    const admin = await addStaff(open(), "admin");
    const [undone] = await open().as(admin, (query) =>
      query("select status, deleted from public.undo_book_import('0b5c1f1e-0000-4000-8000-000000000001')"),
    );
    expect(undone).toEqual({ status: "undone", deleted: 1 });
  });

  test("the correction of typing errors knows the words of books from an older backup", async () => {
    await open().run(restored("insert into public.books (title, price) values ('The Hippopotamus', 45)"));
    expect(
      await open().query(`select ${searchCall("near_books")} ->> 'meant' as meant`, [{ q: "hipopotamus" }]),
    ).toEqual([{ meant: "hippopotamus" }]);
  });
});
