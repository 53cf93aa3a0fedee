import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  movementsOf,
  order,
  placeOrder,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase, describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { addCodes, addCodeTitle, addFile, addPieces, codesOf } from "#tests/support/digital.ts";
import { payOnline } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeOnOwnServerToo("A digital title", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let other: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    other = await addCustomer(open());
  });

  const pay = (id: string, amount: number): Request => [
    admin,
    "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', $2, current_date)",
    [id, amount],
  ];
  const setStatus = (id: string, status: string) =>
    send(open(), [admin, "update public.orders set status = $2 where id = $1", [id, status]]);
  const call = async <Answer>(person: SignedIn, name: string, ...values: unknown[]): Promise<Answer> => {
    const [row] = await send(open(), [
      person,
      `select public.${name}(${values.map((_, at) => `$${at + 1}`).join(", ")}) as answer`,
      values,
    ]);
    return row?.answer as Answer;
  };
  type Line = { title: string; copies: number; files: { id: string; left: number }[]; codes: string[] };
  type Own = { access: string; lines: Line[] } | null;
  const downloads = (id: string, by = customer) => call<Own>(by, "own_downloads", id);
  const start = (id: string, file: string, by = customer) =>
    call<{ token: string; expires_at: string }>(by, "start_download", id, file);
  const find = async (token: string) =>
    (await open().query<{ found: Row | null }>("select private.find_download($1) as found", [token]))[0]
      ?.found;
  const statusOf = async (id: string) =>
    (await open().query("select status from public.orders where id = $1", [id]))[0]?.status;
  const emailsOf = async (id: string) =>
    (
      await open().query<{ kind: string }>(
        "select kind from public.outgoing_emails where order_id = $1 and kind <> 'new_order' order by created_at, kind",
        [id],
      )
    ).map(({ kind }) => kind);
  const setting = (name: string, value: number) =>
    open().query(
      "insert into public.shop_settings (id, value) values ($1, to_jsonb($2::int)) on conflict (id) do update set value = excluded.value",
      [name, value],
    );
  const fileTitle = async (price = 30) => {
    const title = await addBook(open(), { kind: "digital", price, stock: 7 });
    return { title, file: await addFile(open(), admin, title) };
  };

  test("a title by file can be ordered without limit while it has a file, and orders don't change its stock", async () => {
    const title = await addBook(open(), { kind: "digital", stock: 7, price: 10 });
    expect(await stockOf(open(), title)).toBe(0);
    const file = await addFile(open(), admin, title);
    const second = await addFile(open(), admin, title);
    const id = await order(open(), customer, [[title, 3]]);
    await setStatus(id, "cancelled");
    await setStatus(id, "pending");
    expect(await stockOf(open(), title)).toBe(1_000_000);
    expect(await movementsOf(open(), title)).toEqual(["1000000 files"]);
    await call(admin, "remove_digital_file", second);
    await call(admin, "remove_digital_file", second);
    expect(await stockOf(open(), title)).toBe(1_000_000);
    await call(admin, "remove_digital_file", file);
    expect(await movementsOf(open(), title)).toEqual(["1000000 files", "-1000000 files"]);
    await fillCart(open(), other, [[title, 1]]);
    expect((await refusalOf(placeOrder(open(), other, { total: 10 }))).detail).toMatchObject({
      code: "insufficient_stock",
    });
    await open().query("delete from public.cart_items where user_id = $1", [other.id]);
  });

  test("a title by code has as many copies as codes that no order has or holds", async () => {
    const title = await addCodeTitle(open(), admin, 4, { price: 10 });
    const id = await order(open(), customer, [[title, 2]]);
    const state = async () => (await call<{ codes: Row }>(admin, "list_digital", title.id)).codes;
    expect(await state()).toEqual({ free: 2, held: 2, given: 0 });
    await send(open(), pay(id, 20));
    expect(await state()).toEqual({ free: 2, held: 0, given: 2 });
    expect(await call(admin, "withdraw_free_codes", title.id)).toBe(2);
    expect(await call(admin, "withdraw_free_codes", title.id)).toBe(0);
    expect(await state()).toEqual({ free: 0, held: 0, given: 2 });
    expect(await movementsOf(open(), title)).toEqual(["4 codes", "-2 order", "-2 codes"]);
  });

  test("codes that an order holds are not withdrawn", async () => {
    const title = await addCodeTitle(open(), admin, 3, { price: 10 });
    const id = await order(open(), customer, [[title, 2]]);
    expect(await call(admin, "withdraw_free_codes", title.id)).toBe(1);
    await send(open(), pay(id, 20));
    expect(await codesOf(open(), id)).toHaveLength(2);
  });

  test("a code is added once, however often it is pasted, and blank lines are ignored", async () => {
    const title = await addCodeTitle(open(), admin, 0);
    expect(await addCodes(open(), admin, title, [" A-1 ", "A-2", "A-1", "", null, "a-1"])).toEqual({
      added: 3,
      known: 1,
    });
    expect(await addCodes(open(), admin, title, ["A-2", "A-3"])).toEqual({ added: 1, known: 1 });
    expect(await stockOf(open(), title)).toBe(4);
  });

  test("errors about codes don't contain them", async () => {
    const title = await addCodeTitle(open(), admin, 0);
    const refusal = await refusalOf(addCodes(open(), admin, title, ["A-1", "SECRET".repeat(40)]));
    expect(refusal).toMatchObject({ code: "PT400", detail: { field: "codes", line: 2 } });
    expect(JSON.stringify(refusal)).not.toContain("SECRET");
    for (const codes of [[], Array.from({ length: 1_001 }, (_, n) => `${n}`)])
      expect((await refusalOf(addCodes(open(), admin, title, codes))).detail).toMatchObject({
        code: "invalid_rows",
      });
    expect(await stockOf(open(), title)).toBe(0);
  });

  test.each([
    ["a piece is missing", { pieces: [1, 3] }, [2]],
    ["a piece is too small", { sizes: { 2: 7 } }, [2]],
    ["the last piece is too large", { sizes: { 3: 4_194_304 } }, [3]],
    ["the first piece has another type", { type: "application/zip" }, [1]],
  ])(
    "gets no file while %s",
    async (_, { pieces, sizes, type }: { pieces?: number[]; sizes?: object; type?: string }, missing) => {
      const title = await addBook(open(), { kind: "digital", stock: 0 });
      const id = randomUUID();
      await addPieces(open(), id, 9_000_000, type);
      if (pieces)
        await open().query(
          "delete from storage.objects where bucket_id = 'digital-files' and name like $1 and right(name, 4)::int <> all ($2)",
          [`${id}/%`, pieces],
        );
      for (const [piece, size] of Object.entries(sizes ?? {}))
        await open().query(
          "update storage.objects set metadata = metadata || jsonb_build_object('size', $2::int) where name = $1",
          [`${id}/000${piece}`, size],
        );
      const add = call(
        admin,
        "add_digital_file",
        id,
        title.id,
        "A.pdf",
        "application/pdf",
        9_000_000,
        3,
        "a".repeat(64),
      );
      expect((await refusalOf(add)).detail).toEqual({ code: "file_incomplete", missing });
      expect(await stockOf(open(), title)).toBe(0);
    },
  );

  test.each([
    ["type", ["A.pdf", "text/html", 5, 1, "a".repeat(64)]],
    ["size", ["A.pdf", "application/pdf", 209_715_201, 51, "a".repeat(64)]],
    ["size", ["A.pdf", "application/pdf", 0, 1, "a".repeat(64)]],
    ["pieces", ["A.pdf", "application/pdf", 5, 2, "a".repeat(64)]],
    ["name", [" ", "application/pdf", 5, 1, "a".repeat(64)]],
    ["name", ["x".repeat(201), "application/pdf", 5, 1, "a".repeat(64)]],
    ["sha256", ["A.pdf", "application/pdf", 5, 1, "no"]],
  ])("refuses a file with an invalid %s", async (field, values) => {
    const title = await addBook(open(), { kind: "digital", stock: 0 });
    const add = call(admin, "add_digital_file", randomUUID(), title.id, ...values);
    expect(await refusalOf(add)).toMatchObject({ code: "PT400", detail: { code: "invalid_field", field } });
  });

  test("adding a file twice adds it once, and a file of another title is refused", async () => {
    const { title, file } = await fileTitle();
    const again = (book: TestBook) =>
      call(
        admin,
        "add_digital_file",
        file,
        book.id,
        "A.pdf",
        "application/pdf",
        5_000_000,
        2,
        "a".repeat(64),
      );
    await again(title);
    expect((await call<{ files: Row[] }>(admin, "list_digital", title.id)).files).toHaveLength(1);
    const another = await addBook(open(), { kind: "digital", stock: 0 });
    expect((await refusalOf(again(another))).detail).toMatchObject({ code: "file_known" });
    expect((await refusalOf(again(await addBook(open())))).detail).toMatchObject({ code: "not_digital" });
  });

  test("its stock is not changed by hand, by counts or by receipts", async () => {
    const { title } = await fileTitle();
    const before = await movementsOf(open(), title);
    const refused: Request[] = [
      [admin, "select public.change_stock(gen_random_uuid(), $1, 5, 'found')", [title.id]],
      [
        admin,
        "select public.book_receipt(gen_random_uuid(), $1::jsonb)",
        [[{ book_id: title.id, copies: 2, damaged: 0 }]],
      ],
    ];
    for (const request of refused)
      expect((await refusalOf(send(open(), request))).detail).toMatchObject({ code: "digital_stock" });
    const isbn = "978-0-306-40615-7";
    const counted = await addBook(open(), { isbn });
    const count = randomUUID();
    await call(admin, "begin_stock_count", count, "A count", "books", null, [isbn]);
    const scan = call(admin, "scan_stock", randomUUID(), count, null, title.id);
    expect((await refusalOf(scan)).detail).toMatchObject({ code: "digital_stock" });
    const publisher = `House ${randomUUID()}`;
    await open().query("update public.books set publisher = $1 where id = any ($2)", [
      publisher,
      [title.id, counted.id],
    ]);
    const second = randomUUID();
    await call(admin, "begin_stock_count", second, "A count", "publisher", publisher);
    expect(
      await open().query("select book_id from public.stock_count_books where count_id = $1", [second]),
    ).toEqual([{ book_id: counted.id }]);
    await send(open(), [
      admin,
      "update public.books set stock_quantity = 3, price = 31 where id = $1",
      [title.id],
    ]);
    await call(
      admin,
      "change_book",
      title.id,
      (await open().query("select updated_at from public.books where id = $1", [title.id]))[0]?.updated_at,
      { stock_quantity: 3, title: "Renamed" },
      null,
    );
    expect(await movementsOf(open(), title)).toEqual(before);
  });

  test("copies, low stock, stock value and needs exclude digital titles", async () => {
    const publisher = `House ${randomUUID()}`;
    const title = await addCodeTitle(open(), admin, 3, { publisher });
    await addBook(open(), { publisher, stock: 5 });
    const copies = async () =>
      (
        await send(open(), [
          admin,
          "select stock::int from public.list_publisher_statistics() where publisher = $1",
          [publisher],
        ])
      )[0]?.stock;
    expect(await copies()).toBe(5);
    await order(open(), customer, [[title, 1]]);
    await open().query("delete from public.books where id = $1", [(await addBook(open(), { publisher })).id]);
    const changing = await addBook(open(), { publisher, stock: 4 });
    await open().query("update public.books set kind = 'digital' where id = $1", [changing.id]);
    await open().query("update public.books set kind = 'book', stock_quantity = 2 where id = $1", [
      changing.id,
    ]);
    expect(await copies()).toBe(7);
    const low = await send(open(), [admin, "select id from public.list_low_stock_books(1000)", []]);
    expect(low).not.toContainEqual({ id: title.id });
    expect(low).toContainEqual({ id: changing.id });
    await call(customer, "request_stock_alert", (await addBook(open(), { stock: 0 })).id);
    const needs = await send(open(), [
      admin,
      "select book_id from public.list_purchase_needs(current_date, current_date + 90, _covered => true)",
      [],
    ]);
    expect(needs.map(({ book_id }) => book_id)).not.toContain(title.id);
  });

  test("in use keeps its kind, in the form and in an import; an unused one can change it", async () => {
    const { title } = await fileTitle();
    const coded = await addCodeTitle(open(), admin, 1);
    const sold = await addBook(open(), { isbn: "978-1-86197-876-9", stock: 5 });
    await order(open(), customer, [[sold, 1]]);
    const change = (id: string, sql: string) =>
      send(open(), [admin, `update public.books set ${sql} where id = $1`, [id]]);
    for (const [{ id }, sql] of [
      [title, "kind = 'stationery'"],
      [title, "digital_by = 'code'"],
      [coded, "kind = 'book'"],
      [sold, "kind = 'digital'"],
    ] as const)
      expect((await refusalOf(change(id, sql))).detail).toMatchObject({ code: "kind_in_use" });
    const id = await call<string>(admin, "create_book_import", "kinds.csv");
    await call(admin, "stage_book_import_rows", id, [{ line: 2, id: sold.id, kind: "digital" }]);
    const [planned] = await send(open(), [
      admin,
      "select problems from public.preview_book_import($1)",
      [id],
    ]);
    expect(planned?.problems).toEqual([expect.stringContaining("files, codes or sales")]);
    const unused = await addBook(open(), { stock: 5 });
    await change(unused.id, "kind = 'digital', stock_quantity = 5");
    expect(await movementsOf(open(), unused)).toEqual(["-5 manual"]);
    await change(unused.id, "kind = 'book', stock_quantity = 6");
    expect(await stockOf(open(), unused)).toBe(6);
    await change(sold.id, "kind = 'stationery'");
  });

  test("an import leaves its stock as it is, and undoing it deletes no title with codes", async () => {
    const { title } = await fileTitle();
    const apply = async (rows: Row[]) => {
      const id = await call<string>(admin, "create_book_import", "stock.csv", 5, 3);
      await call(admin, "stage_book_import_rows", id, rows);
      await send(open(), [admin, "select public.apply_book_import($1)", [id]]);
      return open().query<{ action: string; book_id: string; import_id: string }>(
        "select action, book_id, import_id from public.book_import_rows where import_id = $1 order by line",
        [id],
      );
    };
    expect(await apply([{ line: 2, id: title.id, stock_quantity: "4" }])).toMatchObject([
      { action: "unchanged" },
    ]);
    const [added] = await apply([
      { line: 2, title: "A recording", kind: "digital", digital_by: "code", stock_quantity: "4" },
    ]);
    const book = { id: String(added?.book_id) };
    expect(await stockOf(open(), book)).toBe(0);
    await addCodes(open(), admin, book, ["A-1"]);
    await send(open(), [admin, "select public.undo_book_import($1)", [added?.import_id]]);
    expect(await stockOf(open(), book)).toBe(1);
  });

  test("a paid order gets its codes, one email and the status delivered; an unpaid one shows nothing", async () => {
    const title = await addCodeTitle(open(), admin, 5, { price: 10 });
    const { title: recording, file } = await fileTitle(20);
    const id = await order(open(), customer, [
      [title, 2],
      [recording, 1],
    ]);
    expect(await downloads(id)).toMatchObject({
      access: "unpaid",
      lines: [
        { files: [], codes: [] },
        { files: [], codes: [] },
      ],
    });
    await send(open(), pay(id, 30));
    expect(await downloads(id)).toMatchObject({ access: "unpaid" });
    expect(await codesOf(open(), id)).toEqual([]);
    expect((await refusalOf(start(id, file))).detail).toMatchObject({ code: "no_access", access: "unpaid" });
    await send(open(), pay(id, 10));
    const own = await downloads(id);
    expect(own?.access).toBe("ready");
    expect(own?.lines.map(({ copies, files, codes }) => [copies, files, codes.length])).toEqual(
      expect.arrayContaining([
        [2, [], 2],
        [1, [{ id: file, name: "A file.pdf", type: "application/pdf", size: 5_000_000, left: 5 }], 0],
      ]),
    );
    expect(await statusOf(id)).toBe("delivered");
    expect((await emailsOf(id)).filter((kind) => kind !== "order_paid")).toEqual([
      "order_placed",
      "downloads_ready",
    ]);
  });

  test("an order with books too stays as it is until they are sent", async () => {
    const title = await addCodeTitle(open(), admin, 1, { price: 10 });
    const id = await order(open(), customer, [
      [title, 1],
      [await addBook(open(), { price: 5 }), 1],
    ]);
    await payOnline(open(), id, 15);
    expect(await statusOf(id)).toBe("pending");
    expect((await downloads(id))?.lines).toMatchObject([{ title: title.title, codes: [expect.any(String)] }]);
    expect(await emailsOf(id)).toContain("downloads_ready");
    const [line] = await open().query(
      "select count(*)::int as events from public.order_events where order_id = $1",
      [id],
    );
    expect(line).toEqual({ events: 0 });
  });

  test("an order of books alone has no downloads", async () => {
    const id = await order(open(), customer, [[await addBook(open(), { price: 5 }), 1]]);
    await send(open(), pay(id, 5));
    expect(await downloads(id)).toBe(null);
    expect(await emailsOf(id)).not.toContain("downloads_ready");
    expect(await statusOf(id)).toBe("pending");
  });

  test("an order of 0 cedis gets its codes at once", async () => {
    const title = await addCodeTitle(open(), admin, 1, { price: 0 });
    const id = await order(open(), customer, [[title, 1]]);
    expect(await downloads(id)).toMatchObject({ access: "ready", lines: [{ codes: [expect.any(String)] }] });
    expect(await statusOf(id)).toBe("delivered");
    expect(await emailsOf(id)).toEqual(expect.arrayContaining(["order_placed", "downloads_ready"]));
  });

  test("a refund ends access; the codes stay with the order and are shown again when it is paid again", async () => {
    const title = await addCodeTitle(open(), admin, 3, { price: 10 });
    const { title: recording, file } = await fileTitle(20);
    const id = await order(open(), customer, [
      [title, 1],
      [recording, 1],
    ]);
    await send(open(), pay(id, 30));
    const codes = await codesOf(open(), id);
    const { token } = await start(id, file);
    expect(await find(token)).toMatchObject({ state: "ready", name: "A file.pdf", pieces: 2 });
    await call(admin, "record_payment", randomUUID(), id, "refund", "cash", 5, "2026-11-01");
    expect(await find(token)).toMatchObject({ state: "ended" });
    expect(await downloads(id)).toMatchObject({
      access: "ended",
      lines: [
        { files: [], codes: [] },
        { files: [], codes: [] },
      ],
    });
    expect((await refusalOf(start(id, file))).detail).toMatchObject({ code: "no_access", access: "ended" });
    expect(await codesOf(open(), id)).toEqual(codes);
    await send(open(), pay(id, 5));
    expect(await downloads(id)).toMatchObject({ access: "ready" });
    expect(await codesOf(open(), id)).toEqual(codes);
    expect(await find(token)).toMatchObject({ state: "ready" });
    expect(await stockOf(open(), title)).toBe(2);
  });

  test("a cancelled, deleted and restored order keeps its codes, and nobody else gets them", async () => {
    const title = await addCodeTitle(open(), admin, 5, { price: 10 });
    const book = await addBook(open(), { price: 5, stock: 9 });
    const id = await order(open(), customer, [
      [title, 2],
      [book, 1],
    ]);
    const payment = randomUUID();
    await call(admin, "record_payment", payment, id, "payment", "cash", 25, "2026-11-01");
    const codes = await codesOf(open(), id);
    expect(codes).toHaveLength(2);
    await setStatus(id, "cancelled");
    expect(await downloads(id)).toMatchObject({ access: "ended" });
    expect(await stockOf(open(), title)).toBe(3);
    await setStatus(id, "pending");
    expect(await codesOf(open(), id)).toEqual(codes);
    await call(admin, "record_payment", randomUUID(), id, "refund", "cash", 25, "2026-11-01");
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    expect(await stockOf(open(), title)).toBe(3);
    const second = await order(open(), other, [[title, 3]]);
    await send(open(), pay(second, 30));
    expect(await codesOf(open(), second)).not.toEqual(expect.arrayContaining(codes));
    await send(open(), [admin, "select public.restore_order($1)", [id]]);
    expect(await stockOf(open(), title)).toBe(0);
    await send(open(), pay(id, 25));
    expect((await downloads(id))?.lines[0]?.codes).toEqual(codes);
    expect(await movementsOf(open(), title)).toEqual(["5 codes", "-2 order", "-3 order"]);
  });

  test("an unpaid order that is deleted after it was shipped gives its codes back, and takes them again when restored", async () => {
    const title = await addCodeTitle(open(), admin, 2, { price: 10 });
    const book = await addBook(open(), { price: 5, stock: 9 });
    const id = await order(open(), customer, [
      [title, 2],
      [book, 1],
    ]);
    await setStatus(id, "shipped");
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    expect([await stockOf(open(), title), await stockOf(open(), book)]).toEqual([2, 8]);
    await send(open(), [admin, "select public.restore_order($1)", [id]]);
    expect([await stockOf(open(), title), await stockOf(open(), book)]).toEqual([0, 8]);
    await send(open(), pay(id, 25));
    expect(await codesOf(open(), id)).toHaveLength(2);
  });

  test("an unpaid order returns its held codes when cancelled, and takes codes again when reopened", async () => {
    const title = await addCodeTitle(open(), admin, 2, { price: 10 });
    const id = await order(open(), customer, [[title, 2]]);
    await setStatus(id, "cancelled");
    const second = await order(open(), other, [[title, 1]]);
    expect((await refusalOf(setStatus(id, "pending"))).detail).toMatchObject({ code: "insufficient_stock" });
    await setStatus(second, "cancelled");
    await setStatus(id, "pending");
    expect(await movementsOf(open(), title)).toEqual([
      "2 codes",
      "-2 order",
      "2 cancel",
      "-1 order",
      "1 cancel",
      "-2 reopen",
    ]);
  });

  test("changing an order adds codes for more copies once they are paid, and never removes any", async () => {
    const title = await addCodeTitle(open(), admin, 5, { price: 10 });
    const book = await addBook(open(), { price: 5, stock: 9 });
    const id = await order(open(), customer, [
      [title, 1],
      [book, 1],
    ]);
    await send(open(), pay(id, 15));
    const changeTo = (lines: [TestBook, number][], total: number) =>
      send(open(), [
        admin,
        "select public.change_order($1, (select updated_at from public.orders where id = $1), $2, $3, $4)",
        [id, lines.map(([line]) => line.id), lines.map(([, copies]) => copies), total],
      ]);
    await changeTo(
      [
        [title, 3],
        [book, 1],
      ],
      35,
    );
    expect(await downloads(id)).toMatchObject({ access: "unpaid" });
    expect(await codesOf(open(), id)).toHaveLength(1);
    expect((await refusalOf(changeTo([[book, 1]], 5))).detail).toMatchObject({ code: "codes_given" });
    await changeTo(
      [
        [title, 2],
        [book, 1],
      ],
      25,
    );
    await send(open(), pay(id, 10));
    expect(await codesOf(open(), id)).toHaveLength(2);
    expect(
      (
        await refusalOf(
          changeTo(
            [
              [title, 1],
              [book, 1],
            ],
            15,
          ),
        )
      ).detail,
    ).toMatchObject({ code: "codes_given" });
    expect(await stockOf(open(), title)).toBe(3);
  });

  test("a deleted title keeps its codes and files for those who bought it, and comes back with its stock", async () => {
    const title = await addCodeTitle(open(), admin, 3, { price: 10 });
    const { title: recording, file } = await fileTitle(20);
    const id = await order(open(), customer, [
      [title, 1],
      [recording, 1],
    ]);
    for (const { id: book } of [title, recording])
      await send(open(), [admin, "delete from public.books where id = $1", [book]]);
    const kinds = () =>
      open().query("select distinct kind, book_id from public.order_items where order_id = $1", [id]);
    expect(await kinds()).toEqual([{ kind: "digital", book_id: null }]);
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    await send(open(), [admin, "select public.restore_order($1)", [id]]);
    expect(await kinds()).toEqual([{ kind: "digital", book_id: null }]);
    await send(open(), pay(id, 30));
    expect((await downloads(id))?.lines.map(({ files, codes }) => files.length + codes.length)).toEqual([
      1, 1,
    ]);
    expect(await find((await start(id, file)).token)).toMatchObject({ state: "ready" });
    await setStatus(id, "cancelled");
    await setStatus(id, "pending");
    const restore = async ({ id: book }: TestBook) =>
      send(open(), [
        admin,
        "select public.restore_book((select max(id) from public.audit_log where row_id = $1 and action = 'delete'))",
        [book],
      ]);
    await restore(title);
    await restore(recording);
    expect([await stockOf(open(), title), await stockOf(open(), recording)]).toEqual([2, 1_000_000]);
    expect(await statusOf(id)).toBe("delivered");
  });

  test("each copy can be downloaded as often as the owner's setting says, even with many clicks at once", async () => {
    await setting("downloadTimes", 3);
    const { title, file } = await fileTitle(20);
    const id = await order(open(), customer, [[title, 2]]);
    await send(open(), pay(id, 40));
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => start(id, file)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    expect((await downloads(id))?.lines[0]?.files[0]?.left).toBe(0);
    expect((await refusalOf(start(id, file))).detail).toEqual({ code: "downloads_used", limit: 6 });
    await setting("downloadTimes", 4);
    expect((await downloads(id))?.lines[0]?.files[0]?.left).toBe(2);
    await start(id, file);
    await setting("downloadTimes", 5);
  });

  test("a link ends after the hours of the owner's setting, and with its file", async () => {
    await setting("downloadHours", 2);
    const { title, file } = await fileTitle(20);
    const id = await order(open(), customer, [[title, 1]]);
    await send(open(), pay(id, 20));
    const { token, expires_at } = await start(id, file);
    const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2.01);
    expect(JSON.stringify(await open().query("select * from private.download_tickets"))).not.toContain(token);
    await open().query("update private.download_tickets set expires_at = now() where order_id = $1", [id]);
    expect(await find(token)).toMatchObject({ state: "expired" });
    const { token: second } = await start(id, file);
    await call(admin, "remove_digital_file", file);
    expect(await find(second)).toBe(null);
    expect((await refusalOf(start(id, file))).detail).toMatchObject({ code: "file_not_found" });
    await open().query(
      "update private.download_tickets set expires_at = now() - interval '8 days' where order_id = $1",
      [id],
    );
    await open().query("select private.forget_old_tickets()");
    expect(await find(token)).toBe(null);
    await setting("downloadHours", 24);
  });

  test("nobody else sees or downloads an order's files and codes", async () => {
    const title = await addCodeTitle(open(), admin, 2, { price: 10 });
    const { title: recording, file } = await fileTitle(20);
    const id = await order(open(), customer, [
      [title, 1],
      [recording, 1],
    ]);
    await send(open(), pay(id, 30));
    for (const person of [other, admin]) {
      expect(await downloads(id, person)).toBe(null);
      expect((await refusalOf(start(id, file, person))).detail).toMatchObject({ code: "file_not_found" });
    }
    const mine = await order(open(), other, [[await addBook(open(), { price: 5 }), 1]]);
    await send(open(), pay(mine, 5));
    expect((await refusalOf(start(mine, file, other))).detail).toMatchObject({ code: "file_not_found" });
    for (const table of ["licence_codes", "digital_files", "file_downloads", "download_tickets"])
      for (const person of [customer, admin, { role: "anon" } as const, { role: "service_role" } as const])
        expect(
          (await refusalOf(open().as(person, (query) => query(`select * from private.${table}`)))).code,
        ).toBe("42501");
  });

  test("the log says who read an order's codes, and never a code", async () => {
    const title = await addCodeTitle(open(), admin, 0, { price: 10 });
    const [code, file] = [`SECRET-${randomUUID()}`, await fileTitle()];
    await addCodes(open(), admin, title, [code, `${code}-2`]);
    const id = await order(open(), customer, [[title, 1]]);
    await send(open(), pay(id, 10));
    expect(await call(admin, "list_given_codes", id)).toEqual([
      { book_id: title.id, title: title.title, codes: [code] },
    ]);
    await call(admin, "withdraw_free_codes", title.id);
    await call(admin, "remove_digital_file", file.file);
    const logged = await open().query<{ line: string }>(
      `select table_name || ' ' || action || ' ' || coalesce(after, before)::text as line from public.audit_log
        where table_name in ('licence_codes', 'digital_files') and actor = $1 order by id desc limit 5`,
      [admin.id],
    );
    expect(logged.map(({ line }) => line.split(" ", 2).join(" "))).toEqual([
      "digital_files delete",
      "licence_codes delete",
      "licence_codes read",
      "licence_codes insert",
      "digital_files insert",
    ]);
    const everything = await open().query<{ found: number }>(
      `select count(*)::int as found from (
         select to_jsonb(a)::text as row from public.audit_log a union all select to_jsonb(e)::text from public.outgoing_emails e
         union all select to_jsonb(m)::text from public.stock_movements m union all select to_jsonb(i)::text from public.order_items i) as rows
        where row like '%SECRET-%'`,
    );
    expect(everything).toEqual([{ found: 0 }]);
    const own = await call(customer, "own_data");
    expect(JSON.stringify(own)).not.toContain("SECRET");
  });

  test("a caller without an account can't order what only an account can download", async () => {
    const { title } = await fileTitle(20);
    const place = send(open(), [
      admin,
      "select public.place_order_for(gen_random_uuid(), null, array[$1::uuid], '{1}', 20, $2::jsonb)",
      [title.id, { recipient_name: "Ama", recipient_phone: "0244123456", delivery_method: "download" }],
    ]);
    expect((await refusalOf(place)).detail).toMatchObject({ code: "account_needed" });
  });

  test("pieces that belong to no file are deleted after a day, those of a removed file a day after that", async () => {
    const { file } = await fileTitle();
    const { file: gone } = await fileTitle();
    const [loose, fresh] = [randomUUID(), randomUUID()];
    for (const id of [loose, fresh]) await addPieces(open(), id, 5);
    await open().query(
      "update storage.objects set created_at = now() - interval '25 hours' where bucket_id = 'digital-files' and left(name, 36) <> $1",
      [fresh],
    );
    const spare = async () =>
      (await open().query<{ name: string }>("select name from private.list_spare_pieces(1000)")).map(
        ({ name }) => name.slice(0, 36),
      );
    await call(admin, "remove_digital_file", gone);
    expect(await spare()).toContain(loose);
    for (const id of [file, fresh, gone]) expect(await spare()).not.toContain(id);
    await open().query(
      "update private.digital_files set removed_at = now() - interval '25 hours' where id = $1",
      [gone],
    );
    expect(await spare()).toContain(gone);
  });
});

describeDatabase("Digital titles under many requests at once", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const settled = (id: string): Request => [
    admin,
    "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', 10, current_date)",
    [id],
  ];

  test("300 orders for 300 codes at once: each gets its own when they are paid at once, and the 301st is refused", {
    tags: "long",
  }, async () => {
    const title = await addCodeTitle(open(), admin, 300, { price: 10 });
    const people = await Promise.all(Array.from({ length: 301 }, () => addCustomer(open())));
    await Promise.all(people.map((person) => fillCart(open(), person, [[title, 1]])));
    const placed = await Promise.allSettled(
      people.map((person) => placeOrder(open(), person, { total: 10, delivery_method: "download" })),
    );
    const ids = placed.flatMap((each) => (each.status === "fulfilled" ? [each.value.id] : []));
    expect(ids).toHaveLength(300);
    const refused = placed.find((each) => each.status === "rejected");
    expect(JSON.parse(refused?.reason.detail)).toMatchObject({ code: "insufficient_stock" });
    expect(await stockOf(open(), title)).toBe(0);
    await Promise.all(ids.map((id) => send(open(), settled(id))));
    const given = await open().query<{ order_id: string; codes: string[] }>(
      "select order_id, array_agg(code) as codes from private.licence_codes where book_id = $1 and order_id is not null group by 1",
      [title.id],
    );
    expect(given).toHaveLength(300);
    expect(given.every(({ codes }) => codes.length === 1)).toBe(true);
    expect(new Set(given.flatMap(({ codes }) => codes)).size).toBe(300);
    expect(
      await open().query(
        "select count(*)::int as n from private.licence_codes where book_id = $1 and order_id is null",
        [title.id],
      ),
    ).toEqual([{ n: 0 }]);
  });

  test("free orders, payments, withdrawals, cancellations and new codes at once keep the stock and every code", async () => {
    const title = await addCodeTitle(open(), admin, 60, { price: 10 });
    const free = await addCodeTitle(open(), admin, 20, { price: 0 });
    const people = await Promise.all(Array.from({ length: 40 }, () => addCustomer(open())));
    const ids = await Promise.all(people.map((person) => order(open(), person, [[title, 1]])));
    await Promise.all([
      ...ids.map((id, n) =>
        n % 4 === 0
          ? send(open(), [admin, "update public.orders set status = 'cancelled' where id = $1", [id]])
          : send(open(), settled(id)),
      ),
      ...people.slice(0, 10).map((person) => order(open(), person, [[free, 1]])),
      send(open(), [admin, "select public.withdraw_free_codes($1)", [title.id]]),
      addCodes(open(), admin, title, ["NEW-1", "NEW-2"]),
    ]);
    const [state] = await open().query(
      `select b.stock_quantity + 0 as stock, count(*) filter (where c.order_id is null)::int as free,
              count(distinct c.order_id)::int as orders, count(c.order_id)::int as given,
              (select sum(m.quantity)::int from public.stock_movements m where m.book_id = b.id) as moved
         from public.books b join private.licence_codes c on c.book_id = b.id where b.id = $1 group by b.id`,
      [title.id],
    );
    expect(state).toMatchObject({ orders: 30, given: 30 });
    expect(state?.free).toBe(state?.stock);
    expect(state?.moved).toBe(state?.stock);
    expect(await stockOf(open(), free)).toBe(10);
  });

  test("a simultaneous payment and refund, cancellation or change end as if in sequence", async () => {
    const make = async (other: (id: string) => Request) => {
      const title = await addCodeTitle(open(), admin, 4, { price: 10 });
      const person = await addCustomer(open());
      const id = await order(open(), person, [[title, 1]]);
      return {
        requests: [settled(id), other(id)] as [Request, Request],
        see: async () => ({
          codes: (await codesOf(open(), id)).length,
          stock: await stockOf(open(), title),
          access: (
            await send(open(), [person, "select public.own_downloads($1) ->> 'access' as access", [id]])
          )[0]?.access,
        }),
      };
    };
    await expectSerial(open(), () =>
      make((id) => [admin, "update public.orders set status = 'cancelled' where id = $1 returning 1", [id]]),
    );
    await expectSerial(open(), () => make(settled));
  });

  test("after two refunds and a second payment at once, access follows the paid total", async () => {
    const title = await addCodeTitle(open(), admin, 2, { price: 10 });
    const person = await addCustomer(open());
    const id = await order(open(), person, [[title, 1]]);
    await send(open(), settled(id));
    const refund: Request = [
      admin,
      "select public.record_payment(gen_random_uuid(), $1, 'refund', 'cash', 10, current_date)",
      [id],
    ];
    await Promise.allSettled([send(open(), settled(id)), send(open(), refund), send(open(), refund)]);
    const [after] = await open().query(
      "select paid_amount::float8 as paid, private.has_digital_access(paid_amount, total_amount, status) as access from public.orders where id = $1",
      [id],
    );
    expect(after?.access).toBe((after?.paid as number) >= 10);
    expect(await codesOf(open(), id)).toHaveLength(1);
    expect(await stockOf(open(), title)).toBe(1);
  });
});
