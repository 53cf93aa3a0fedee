import { randomUUID as uuid } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { searchStock } from "#tests/torture/stock-search.ts";

describeDatabase("The stock card", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const asAdmin = (sql: string, values: unknown[] = []) => open().as(admin, (query) => query(sql, values));
  const card = async (bookId: string, more = "") =>
    (
      await asAdmin(
        `select concat_ws(' ', quantity, reason, '=', balance) as line, order_number is not null as of_order, by_name
           from public.list_stock_movements($1${more})`,
        [bookId],
      )
    ).map(({ line, of_order, by_name }) => `${line}${of_order ? " order" : ""} ${by_name}`);

  test("lists when, why, by whom, for which order and what was left, newest first", async () => {
    const book = await addBook(open(), { price: 10, stock: 10 });
    const customer = await addCustomer(open(), { full_name: "Mrs Adjei" });
    const id = await order(open(), customer, [[book, 3]]);
    await asAdmin("update public.orders set status = 'cancelled' where id = $1", [id]);
    await asAdmin("update public.books set stock_quantity = 12 where id = $1", [book.id]);
    const all = ["2 manual = 12 A admin", "3 cancel = 10 order A admin", "-3 order = 7 order Mrs Adjei"];
    expect(await card(book.id)).toEqual(all);
    expect(await card(book.id, ", _descending => false, _page_size => 2")).toEqual(
      all.toReversed().slice(0, 2),
    );
    expect(await card(book.id, ", _descending => false, _page => 2, _page_size => 2")).toEqual(
      all.slice(0, 1),
    );
    expect(await card(book.id, ", _reason => 'order'")).toEqual(all.slice(2));
    const count = async (more: string) =>
      (await asAdmin(`select public.count_stock_movements($1${more})::int as n`, [book.id]))[0]?.n;
    expect(await count("")).toBe(3);
    expect(await count(", _reason => 'order'")).toBe(1);
    await asAdmin("delete from public.books where id = $1", [book.id]);
    expect(await card(book.id)).toEqual(all);
  });

  const change = (bookId: string, copies: number, reason: string, note: string | null = null, id = uuid()) =>
    asAdmin("select public.change_stock($1, $2, $3, $4, $5) as n", [id, bookId, copies, reason, note]).then(
      ([row]) => row?.n,
    );

  test("staff give a reason when they change stock by hand; repeating the change moves nothing", async () => {
    const book = await addBook(open(), { price: 10, stock: 10 });
    expect(await change(book.id, -2, "damaged", "  Wet\nin the rain ")).toBe(8);
    const id = uuid();
    expect(await change(book.id, 3, "found", null, id)).toBe(11);
    expect(await change(book.id, 3, "found", null, id)).toBe(11);
    // Someone who gets no response, edits the form and clicks again must see that the first values have already been saved.
    const other = await addBook(open(), { stock: 10 });
    for (const [bookId, copies, reason] of [
      [book.id, 4, "found"],
      [book.id, 3, "correction"],
      [other.id, 3, "found"],
    ] as const)
      expect((await refusalOf(change(bookId, copies, reason, null, id))).detail?.code).toBe(
        "stock_change_exists",
      );
    const unnamed = open().as(admin, (query) =>
      query("select public.change_stock(null, $1, 1, 'found')", [other.id]),
    );
    expect((await refusalOf(unnamed)).detail).toMatchObject({ field: "change_id", rule: "required" });
    expect(await card(other.id)).toEqual([]);
    expect(await card(book.id)).toEqual(["3 found = 11 A admin", "-2 damaged = 8 A admin"]);
    const notes = await asAdmin("select note from public.list_stock_movements($1)", [book.id]);
    expect(notes).toEqual([{ note: null }, { note: "Wet in the rain" }]);
    // The reason doesn't carry over to later changes on the same connection.
    await asAdmin("update public.books set stock_quantity = 12 where id = $1", [book.id]);
    expect((await card(book.id))[0]).toBe("1 manual = 12 A admin");
    const log = await open().query(
      "select after ->> 'stock_quantity' as stock from public.audit_log where row_id = $1 and action = 'update' order by id",
      [book.id],
    );
    expect(log).toEqual([{ stock: "8" }, { stock: "11" }, { stock: "12" }]);
  });

  test.each<[number, string, string | null, string]>([
    [-11, "lost", null, "There are only 10 in stock."],
    [0, "correction", null, "The number of copies must be between"],
    [1, "lost", null, "For an increase, choose Found or Correction."],
    [-1, "found", null, "For a decrease, you can't choose Found."],
    [1, "order", null, "Choose why the stock has changed."],
    [1, "found", "x".repeat(201), "The note is too long (at most 200 characters)."],
    [9_999_991, "found", null, "The stock quantity must be between 0 and 10000000."],
  ])("a change by %i, reason %s, is refused", async (copies, reason, note, message) => {
    const book = await addBook(open(), { price: 10, stock: 10 });
    await expect(change(book.id, copies, reason, note)).rejects.toThrow(message);
    expect(await card(book.id)).toEqual([]);
  });

  test("a book is saved with the reason in one step, only if unchanged since it was loaded, and only its editable columns", async () => {
    const book = await addBook(open(), { price: 10, stock: 10 });
    const save = async (values: object, reason: string | null, since = "updated_at") => {
      const [row] = await asAdmin(
        `select public.change_book(id, ${since}, $2, $3, 'Counted') as saved from public.books where id = $1`,
        [book.id, JSON.stringify(values), reason],
      );
      return row?.saved;
    };
    await expect(save({ stock_quantity: 7 }, null)).rejects.toThrow("Choose why");
    expect(
      await save({ stock_quantity: 7, subject: "Maths" }, "correction", "updated_at - interval '1 s'"),
    ).toBe(false);
    expect(
      await save(
        { stock_quantity: 7, subject: "Maths", review_count: 9, id: uuid(), created_at: "2020-01-01" },
        "correction",
      ),
    ).toBe(true);
    const [stored] = await open().query(
      "select stock_quantity, subject, review_count, created_at > '2026-01-01' as new from public.books where id = $1",
      [book.id],
    );
    expect(stored).toEqual({ stock_quantity: 7, subject: "Maths", review_count: 0, new: true });
    expect(await card(book.id)).toEqual(["-3 correction = 7 A admin"]);
  });

  test("taking out and selling the last copies at once never moves more than there are, and each movement is recorded", async () => {
    const book = await addBook(open(), { price: 10, stock: 30 });
    const customers = await Promise.all(Array.from({ length: 20 }, () => addCustomer(open())));
    const done = await Promise.allSettled([
      ...customers.map((customer) => order(open(), customer, [[book, 1]])),
      ...customers.map(() => change(book.id, -1, "sample")),
    ]);
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
    const rows = await asAdmin(
      "select min(balance)::int as least, sum(quantity)::int as moved from public.list_stock_movements($1, _page_size => 1000)",
      [book.id],
    );
    expect(rows).toEqual([{ least: 0, moved: -30 }]);
  });

  test("every balance follows from the one before it after random orders, imports and deletions, also two at once", {
    tags: "long",
  }, async () => {
    await searchStock(open(), { seed: 20261127, sequences: inGateOrLong(6, 80) });
    const books = await open().query<{ id: string }>(
      "select distinct book_id as id from public.stock_movements",
    );
    expect(books.length).toBeGreaterThan(5);
    for (const { id } of books) {
      const rows = await asAdmin(
        "select quantity, balance::int from public.list_stock_movements($1, _descending => false, _page_size => 1000)",
        [id],
      );
      for (const [index, { quantity, balance }] of rows.entries()) {
        expect(balance).toBeGreaterThanOrEqual(0);
        const before = rows[index - 1];
        if (before) expect(balance).toBe(Number(before.balance) + Number(quantity));
      }
      const [stock] = await open().query(
        `select coalesce((select stock_quantity from public.books where id = $1),
                         (select stock_quantity from private.gone_books where id = $1)) as copies`,
        [id],
      );
      expect(rows.at(-1)?.balance).toBe(stock?.copies);
    }
  });
});
