import { beforeAll, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, order, stockOf } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";

describeDatabase("Reviews and the audit log", (open) => {
  let customer: SignedIn;
  let moderator: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    moderator = await addStaff(open(), "moderator");
    admin = await addStaff(open(), "admin");
  });

  /** By a reader of its own: no one reviews a book twice. */
  const review = async (bookId: string, rating: number, text: string | null = null) => {
    const reader = await addCustomer(open());
    const [row] = await open().query<{ id: string }>(
      "insert into public.reviews (book_id, user_id, rating, review_text) values ($1, $2, $3, $4) returning id",
      [bookId, reader.id, rating, text],
    );
    return row?.id;
  };
  const ratingOf = async (bookId: string) =>
    (
      await open().query(
        "select average_rating::float8 as average, review_count as count from public.books where id = $1",
        [bookId],
      )
    )[0];
  const logOf = (rowId: string) =>
    open().query<Row & { id: number; before: Row | null; after: Row | null }>(
      "select * from public.audit_log where row_id = $1 order by id",
      [rowId],
    );
  const call = (person: SignedIn, name: string, argument: unknown) =>
    open().as(person, (query) => query(`select public.${name}($1) as answer`, [argument]));

  test("a book's rating follows its reviews", async () => {
    const book = await addBook(open());
    expect(await ratingOf(book.id)).toEqual({ average: null, count: 0 });
    const first = await review(book.id, 5);
    await review(book.id, 4);
    await review(book.id, 4);
    expect(await ratingOf(book.id)).toEqual({ average: 4.33, count: 3 });
    await open().query("update public.reviews set rating = 1 where id = $1", [first]);
    expect(await ratingOf(book.id)).toEqual({ average: 3, count: 3 });
    await open().as(admin, (query) => query("delete from public.reviews where book_id = $1", [book.id]));
    expect(await ratingOf(book.id)).toEqual({ average: null, count: 0 });
  });

  test("twenty concurrent reviews are all counted", async () => {
    const book = await addBook(open());
    await Promise.all(Array.from({ length: 20 }, (_, i) => review(book.id, 1 + (i % 5))));
    expect(await ratingOf(book.id)).toEqual({ average: 3, count: 20 });
  });

  test("moderators and admins can read the table of reviews, only admins can delete from it, and nobody can write to it", async () => {
    const book = await addBook(open());
    const id = await review(book.id, 3);
    expect(await open().as(customer, (query) => query("select id from public.reviews"))).toEqual([]);
    // Deleting needs a separate duty, which moderators don't have.
    for (const person of [customer, moderator])
      expect(await open().as(person, (query) => query("delete from public.reviews returning id"))).toEqual(
        [],
      );
    expect(
      (await refusalOf(open().as(visitor, (query) => query("select id from public.reviews")))).code,
    ).toBe("42501");
    for (const person of [customer, admin, secretKey]) {
      const write = open().as(person, (query) =>
        query("insert into public.reviews (book_id, user_id, rating) values ($1, $2, 5)", [
          book.id,
          customer.id,
        ]),
      );
      expect((await refusalOf(write)).code).toBe("42501");
    }
    for (const person of [moderator, admin]) {
      const found = await open().as(person, (query) =>
        query("select rating from public.reviews where id = $1", [id]),
      );
      expect(found).toEqual([{ rating: 3 }]);
    }
  });

  test("a deleted review comes back from the log, once, and not without its book", async () => {
    const book = await addBook(open());
    const id = await review(book.id, 2, "Too heavy");
    await open().as(admin, (query) => query("delete from public.reviews where id = $1", [id]));
    const entry = (await logOf(String(id))).at(-1);
    expect(entry).toMatchObject({
      action: "delete",
      actor: admin.id,
      before: { rating: 2, review_text: "Too heavy" },
      after: null,
    });
    for (const person of [customer, moderator]) {
      expect((await refusalOf(call(person, "restore_review", entry?.id))).detail).toMatchObject({
        code: "duty_missing",
      });
    }
    expect(await call(admin, "restore_review", entry?.id)).toEqual([{ answer: id }]);
    expect(await ratingOf(book.id)).toEqual({ average: 2, count: 1 });
    expect((await refusalOf(call(admin, "restore_review", entry?.id))).detail).toEqual({
      code: "already_restored",
    });
    await open().as(admin, (query) => query("delete from public.reviews where id = $1", [id]));
    await open().query(
      "insert into public.reviews (book_id, user_id, rating) select book_id, user_id, 5 from jsonb_populate_record(null::public.reviews, $1)",
      [entry?.before],
    );
    expect(
      (await refusalOf(call(admin, "restore_review", (await logOf(String(id))).at(-1)?.id))).detail,
    ).toEqual({ code: "newer_review" });
    await open().query("delete from public.books where id = $1", [book.id]);
    const latest = (await logOf(String(id))).at(-1);
    expect((await refusalOf(call(admin, "restore_review", latest?.id))).detail).toEqual({
      code: "cannot_restore",
    });
    expect((await refusalOf(call(admin, "restore_review", 0))).detail).toEqual({ code: "not_in_archive" });
    expect((await refusalOf(call(admin, "restore_book", entry?.id))).detail).toEqual({
      code: "not_in_archive",
    });
  });

  test("a deleted book comes back with its reviews", async () => {
    const book = await addBook(open(), { title: "Comes back", isbn: "0306406152", stock: 4, subject: "Art" });
    await review(book.id, 5, "Lovely");
    await review(book.id, 4);
    await open().as(admin, async (query) =>
      query("select public.moderate_review($1, true)", [await review(book.id, 1, "Rude")]),
    );
    const read = () =>
      open().query(
        `select b.title, b.isbn13, b.stock_quantity, b.subject, b.review_count, b.average_rating::float8 as average, b.created_at,
                (select array_agg(to_jsonb(r) order by r.id) from public.reviews r where r.book_id = b.id) as reviews
           from public.books b where b.id = $1`,
        [book.id],
      );
    const before = await read();
    await open().as(admin, (query) => query("delete from public.books where id = $1", [book.id]));
    const entry = (await logOf(book.id)).at(-1);
    expect(await call(admin, "restore_book", entry?.id)).toEqual([{ answer: book.id }]);
    expect(await read()).toEqual(before);
    expect((await refusalOf(call(admin, "restore_book", entry?.id))).detail).toEqual({
      code: "already_restored",
    });
    expect((await logOf(book.id)).map(({ action }) => action)).toEqual(["insert", "delete", "restore"]);
  });

  test("a restored book is linked to its order lines again, with the stock they moved while it was deleted", async () => {
    const book = await addBook(open(), { stock: 20 });
    const setStatus = (id: string, status: string) =>
      open().query("update public.orders set status = $2 where id = $1", [id, status]);
    const pending = await order(open(), customer, [[book, 1]]);
    const cancelledMeanwhile = await order(open(), customer, [[book, 2]]);
    const cancelledBefore = await order(open(), customer, [[book, 3]]);
    const reopenedMeanwhile = await order(open(), customer, [[book, 4]]);
    await setStatus(cancelledBefore, "cancelled");
    await setStatus(reopenedMeanwhile, "cancelled");
    await open().as(admin, (query) => query("delete from public.books where id = $1", [book.id]));
    await setStatus(cancelledMeanwhile, "cancelled");
    await setStatus(reopenedMeanwhile, "pending");
    await call(admin, "restore_book", (await logOf(book.id)).at(-1)?.id);
    const linked = await open().query<{ order_id: string }>(
      "select order_id from public.order_items where book_id = $1",
      [book.id],
    );
    expect(new Set(linked.map(({ order_id }) => order_id))).toEqual(
      new Set([pending, cancelledMeanwhile, cancelledBefore, reopenedMeanwhile]),
    );
    expect(await stockOf(open(), book)).toBe(15);
    for (const id of [pending, reopenedMeanwhile]) await setStatus(id, "cancelled");
    expect(await stockOf(open(), book)).toBe(20);
  });

  test("the log has who, what, before and after for every edit, and not what triggers change", async () => {
    const book = await addBook(open(), { stock: 9 });
    await open().as(admin, (query) =>
      query("update public.books set price = 60, stock_quantity = 8 where id = $1", [book.id]),
    );
    const orderId = await order(open(), customer, [[{ ...book, price: 60 }, 2]]);
    await review(book.id, 5);
    await open().as(customer, (query) =>
      query("update public.orders set status = 'cancelled' where id = $1", [orderId]),
    );
    const entries = await logOf(book.id);
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ["insert", null],
      ["update", admin.id],
    ]);
    expect(entries[1]).toMatchObject({
      before: { price: 45.5, stock_quantity: 9 },
      after: { price: 60, stock_quantity: 8 },
    });
    expect(entries[1]?.after).not.toHaveProperty("search_text");
    expect((await logOf(orderId)).map(({ action, actor, after }) => [action, actor, after?.status])).toEqual([
      ["insert", customer.id, "pending"],
      ["update", customer.id, "cancelled"],
    ]);
    await open().as(admin, (query) =>
      query("insert into public.user_roles (user_id, role) values ($1, 'moderator')", [customer.id]),
    );
    const roles = await open().query(
      "select action, actor, after ->> 'role' as role from public.audit_log where table_name = 'user_roles' and after ->> 'user_id' = $1",
      [customer.id],
    );
    expect(roles).toEqual([{ action: "insert", actor: admin.id, role: "moderator" }]);
  });

  test("the logs are read only by admins, and changed by no one, not even the owner", async () => {
    const book = await addBook(open(), { stock: 3 });
    const orderId = await order(open(), customer, [[book, 1]]);
    await open().query("update public.orders set status = 'shipped' where id = $1", [orderId]);
    for (const table of ["audit_log", "stock_movements", "order_events"]) {
      for (const person of [customer, moderator]) {
        expect(await open().as(person, (query) => query(`select id from public.${table}`))).toEqual([]);
      }
      expect(await open().as(admin, (query) => query(`select id from public.${table} limit 1`))).toHaveLength(
        1,
      );
      for (const write of [`update public.${table} set actor = null`, `delete from public.${table}`]) {
        for (const person of [customer, admin, secretKey]) {
          expect((await refusalOf(open().as(person, (query) => query(write)))).code).toBe("42501");
        }
        expect((await refusalOf(open().query(write))).detail).toEqual({ code: "append_only" });
      }
    }
  });
});
