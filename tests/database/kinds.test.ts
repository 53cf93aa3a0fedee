import { afterEach, beforeAll, expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import type { Row } from "#tests/support/database.ts";
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
import { addFile } from "#tests/support/digital.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { offerQuote } from "#tests/support/quotes.ts";

describeDatabase("A title's kind", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  let digital: TestBook;
  let book: TestBook;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
    digital = await addBook(open(), { kind: "digital", price: 30 });
    await addFile(open(), admin, digital);
    book = await addBook(open(), { price: 20, stock: 50 });
    await open().query("select private.set_delivery_fees($1::jsonb)", [
      [{ regions: ["Volta"], fee: 7 }, { fee: 15 }],
    ]);
  });
  afterEach(() => open().query("delete from public.cart_items where user_id = $1", [customer.id]));

  const kindOf = async (id: unknown) =>
    (await open().query("select kind, digital_by from public.books where id = $1", [id]))[0];
  const change = (id: string, sql: string, values: unknown[] = []) =>
    send(open(), [admin, `update public.books set ${sql} where id = $1`, [id, ...values]]);

  test("is 'book' unless somebody says otherwise, and a digital title is delivered as files", async () => {
    expect(await kindOf(book.id)).toEqual({ kind: "book", digital_by: null });
    for (const [written, stored] of [
      [{ kind: null }, { kind: "book", digital_by: null }],
      [{ kind: "digital" }, { kind: "digital", digital_by: "file" }],
      [
        { kind: "digital", digital_by: "code" },
        { kind: "digital", digital_by: "code" },
      ],
      [
        { kind: "stationery", digital_by: "code" },
        { kind: "stationery", digital_by: null },
      ],
    ] as const) {
      const { id } = await addBook(open(), { stock: 0, ...written });
      expect(await kindOf(id)).toEqual(stored);
    }
    const { id } = await addBook(open(), { stock: 0 });
    await change(id, "kind = 'digital', digital_by = 'code'");
    await change(id, "title = 'Renamed'");
    expect(await kindOf(id)).toEqual({ kind: "digital", digital_by: "code" });
    await change(id, "kind = 'stationery'");
    expect(await kindOf(id)).toEqual({ kind: "stationery", digital_by: null });
  });

  test.each([
    ["kind = 'toy'", "kind", ["book", "digital", "stationery"]],
    ["kind = 'digital', digital_by = 'post'", "digital_by", ["file", "code"]],
  ])("is refused with a message: %s", async (sql, field, choices) => {
    const { id } = await addBook(open(), { stock: 0 });
    expect(await refusalOf(change(id, sql))).toMatchObject({
      code: "PT400",
      message: expect.stringContaining(choices.join(", ")),
      detail: { code: "invalid_field", field, rule: "choice", choices },
    });
  });

  const importRows = async (rows: Row[]) => {
    const call = async (name: string, values: unknown[]) =>
      (
        await send(open(), [
          admin,
          `select * from public.${name}(${values.map((_, at) => `$${at + 1}`).join(", ")})`,
          values,
        ])
      )[0];
    const id = (await call("create_book_import", ["kinds.csv", 50, 3, "Default Press"]))?.create_book_import;
    await call("stage_book_import_rows", [id, rows]);
    await call("apply_book_import", [id, true]);
    return open().query<{ action: string; book_id: string; problems: string[] }>(
      "select action, book_id, problems from public.book_import_rows where import_id = $1 order by line",
      [id],
    );
  };

  test("an exported title of files is imported again: its price changes, its file and its stock don't", async () => {
    const title = await addBook(open(), { isbn: "978-1-86197-876-9", kind: "digital", price: 30, stock: 0 });
    const file = await addFile(open(), admin, title);
    const read = async () =>
      (
        await open().query(
          `select b.kind, b.digital_by, b.stock_quantity, b.price::float8 as price, f.id as file, f.removed_at
             from public.books b join private.digital_files f on f.book_id = b.id where b.id = $1`,
          [title.id],
        )
      )[0];
    const unchanged = {
      kind: "digital",
      digital_by: "file",
      stock_quantity: 1_000_000,
      file,
      removed_at: null,
    };
    expect(await read()).toEqual({ ...unchanged, price: 30 });
    // As the export writes it: without a stock.
    const exported = { isbn: "978-1-86197-876-9", kind: "digital", digital_by: "file", stock_quantity: "" };
    const [row] = await importRows([{ line: 2, ...exported, title: title.title, price: "31.50" }]);
    expect(row).toMatchObject({ action: "update", book_id: title.id, problems: [] });
    expect(await read()).toEqual({ ...unchanged, price: 31.5 });
  });

  test("is set by an import, and stays if the file has no such column", async () => {
    const isbn = "978-0-306-40615-7";
    const stationery = await addBook(open(), { isbn, kind: "stationery" });
    const rows = await importRows([
      { line: 2, title: "A reader" },
      { line: 3, title: "A recording", kind: " Digital ", digital_by: "CODE" },
      { line: 4, title: "A pencil", kind: "Stationery" },
      { line: 5, title: "A toy", kind: "toy" },
      { line: 6, isbn, price: "9", kind: "" },
    ]);
    expect(rows.map(({ action }) => action)).toEqual(["add", "add", "add", "refused", "update"]);
    expect(rows[3]?.problems).toEqual(["The kind must be one of: book, digital, stationery."]);
    expect(await Promise.all([0, 1, 2].map((at) => kindOf(rows[at]?.book_id)))).toEqual([
      { kind: "book", digital_by: null },
      { kind: "digital", digital_by: "code" },
      { kind: "stationery", digital_by: null },
    ]);
    expect(await kindOf(stationery.id)).toEqual({ kind: "stationery", digital_by: null });
  });

  const place = async (lines: [TestBook, number][], delivery: Row & { total: number }) => {
    await fillCart(open(), customer, lines);
    return placeOrder(open(), customer, delivery);
  };

  test("an order of digital titles alone is downloaded: no region, no address, no fee", async () => {
    expect(await place([[digital, 2]], { total: 60, delivery_method: "download" })).toMatchObject({
      delivery_method: "download",
      shipping_address: null,
      delivery_fee: "0.00",
    });
    expect(
      (await refusalOf(place([[digital, 1]], { total: 37, delivery_fee: 7, region: "Volta" }))).detail,
    ).toMatchObject({
      code: "total_changed",
      total: 30,
      delivery_fee: 0,
    });
  });

  test("an order with anything to deliver can't use the method download, and pays for delivery", async () => {
    const lines: [TestBook, number][] = [
      [digital, 1],
      [book, 1],
    ];
    expect(await refusalOf(place(lines, { total: 50, delivery_method: "download" }))).toMatchObject({
      code: "PT409",
      detail: { code: "delivery_needed" },
    });
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
    expect(await place(lines, { total: 57, delivery_fee: 7, region: "Volta" })).toMatchObject({
      delivery_fee: "7.00",
    });
  });

  const byPhone = (books: TestBook[], total: number, delivery: Row) =>
    send(open(), [
      admin,
      "select public.place_order_for(gen_random_uuid(), $1, $2, $3, $4, $5::jsonb) as id",
      [
        customer.id,
        books.map(({ id }) => id),
        books.map(() => 1),
        total,
        { recipient_name: "Ama", recipient_phone: "024 412 3456", ...delivery },
      ],
    ]);

  test("an order by phone has the same rules for digital titles", async () => {
    await byPhone([digital], 30, { delivery_method: "download" });
    await byPhone([digital], 30, {});
    expect(
      (await refusalOf(byPhone([digital, book], 50, { delivery_method: "download" }))).detail,
    ).toMatchObject({
      code: "delivery_needed",
    });
    await byPhone([digital, book], 57, { region: "Volta" });
  });

  test("an accepted quote has the same rules for digital titles", async () => {
    const accepted = async (lines: [TestBook, number, number][], delivery: Row) => {
      const included = { method: "deliver", pricing: "included" };
      const { id, version } = await offerQuote(open(), { customer, admin }, lines, included);
      return send(open(), [
        customer,
        "select public.accept_quote($1, $2, null, $3::jsonb)",
        [id, version, { recipient_email: "ama@school.example", recipient_phone: "0244123456", ...delivery }],
      ]);
    };
    await accepted([[digital, 1, 25]], { delivery_method: "download" });
    await accepted([[digital, 1, 25]], {});
    const mixed: [TestBook, number, number][] = [
      [digital, 1, 25],
      [book, 1, 18],
    ];
    expect((await refusalOf(accepted(mixed, { delivery_method: "download" }))).detail).toMatchObject({
      code: "delivery_needed",
    });
  });

  test("a changed order has the same rules for digital titles", async () => {
    const changeTo = async (id: string, lines: [TestBook, number][], total: number) =>
      send(open(), [
        admin,
        "select public.change_order($1, (select updated_at from public.orders where id = $1), $2, $3, $4)",
        [id, lines.map(([line]) => line.id), lines.map(([, copies]) => copies), total],
      ]);
    const { id } = await place([[digital, 1]], { total: 30, delivery_method: "download" });
    expect(
      (
        await refusalOf(
          changeTo(
            id,
            [
              [digital, 1],
              [book, 1],
            ],
            50,
          ),
        )
      ).detail,
    ).toMatchObject({ code: "delivery_needed" });
    await changeTo(id, [[digital, 3]], 90);
    const sent = await place([[book, 1]], { total: 27, delivery_fee: 7, region: "Volta" });
    await changeTo(sent.id, [[digital, 1]], 30);
    expect(
      (
        await open().query("select delivery_fee::float8 as fee from public.orders where id = $1", [sent.id])
      )[0],
    ).toEqual({ fee: 0 });
  });

  test("orders of books are unaffected", async () => {
    await open().query("select private.set_delivery_fees('[]')");
    await order(open(), customer, [[book, 1]]);
  });
});
