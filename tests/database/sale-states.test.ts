import { beforeAll, describe, expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  order,
  placeOrder,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { newIsbn } from "#tests/support/factories.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";
import { acceptQuote, changeQuote, requestQuote, requestQuoteFor, sendQuote } from "#tests/support/quotes.ts";

describeDatabase("A title that is coming soon or not for sale", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });

  const asStaff = (sql: string, ...values: unknown[]) => send(open(), [admin, sql, values]);
  const asCustomer = (sql: string, ...values: unknown[]) => send(open(), [customer, sql, values]);
  const asVisitor = (sql: string, ...values: unknown[]) => send(open(), [visitor, sql, values]);
  const setState = (book: { id: string }, state: string) =>
    asStaff("update public.books set sale_state = $2 where id = $1", book.id, state);
  const forSale = async (book: { id: string }) =>
    (
      await open().query<{ for_sale: number }>("select for_sale from public.books where id = $1", [book.id])
    )[0]?.for_sale;
  const emptyCart = () => open().query("delete from public.cart_items where user_id = $1", [customer.id]);

  test("is one only where staff say so, and its date may lack its day or its month", async () => {
    const book = await addBook(open(), { stock: 3 });
    expect(await forSale(book)).toBe(3);
    for (const [state, left] of [
      ["coming_soon", -1],
      ["not_for_sale", -2],
      ["last_copies", 3],
      ["on_sale", 3],
    ] as const) {
      await setState(book, state);
      expect(await forSale(book)).toBe(left);
    }
    const date = (text: string) =>
      asStaff(
        "update public.books set available_on = $2 where id = $1 returning available_on",
        book.id,
        text,
      );
    for (const text of ["2027", "2027-01", "2028-02-29"])
      expect(await date(text)).toEqual([{ available_on: text }]);
    for (const text of ["2027-02-29", "2027-13", "01/2027"])
      expect((await refusalOf(date(text))).detail).toMatchObject({ field: "available_on" });
    expect((await refusalOf(setState(book, "gone"))).detail).toMatchObject({
      field: "sale_state",
      choices: ["on_sale", "coming_soon", "last_copies", "not_for_sale"],
    });
  });

  test("while stocks last sells the copies that there are, and then none, until one comes back", async () => {
    const book = await addBook(open(), { price: 20, stock: 2, sale_state: "last_copies" });
    const id = await order(open(), customer, [[book, 2]]);
    expect(await forSale(book)).toBe(-2);
    await open().query("update public.orders set status = 'cancelled' where id = $1", [id]);
    expect(await forSale(book)).toBe(2);
  });

  describe.each([
    ["coming_soon", "out_of_stock", "coming soon"],
    ["not_for_sale", "not_sold", "no longer available"],
  ])("is %s and can't be bought, whatever its stock", (state, problem, words) => {
    const notEnough = (book: TestBook) => ({
      code: "PT409",
      message: `Not enough in stock: ${book.title} (${words}).`,
    });
    const addUnsold = async () => {
      const book = await addBook(open(), { price: 20, stock: 50, sale_state: state });
      return book;
    };
    const addSold = () => addBook(open(), { price: 20, stock: 50 });

    test("through the cart", async () => {
      const book = await addUnsold();
      const refused = { code: "PT409", detail: { code: "not_for_sale", book_id: book.id } };
      expect(await refusalOf(fillCart(open(), customer, [[book, 1]]))).toMatchObject(refused);
      expect(
        await refusalOf(
          asCustomer(
            "insert into public.cart_items (user_id, book_id) values ($1, $2)",
            customer.id,
            book.id,
          ),
        ),
      ).toMatchObject(refused);
      expect(
        await asCustomer("select added, problem from public.add_books_to_cart($1, $2)", [book.id], [4]),
      ).toEqual([{ added: 0, problem }]);
    });

    test("where it is in a cart already: it stays there, and the order is refused", async () => {
      const book = await addSold();
      await fillCart(open(), customer, [[book, 2]]);
      await setState(book, state);
      expect(await refusalOf(placeOrder(open(), customer, { total: 40 }))).toMatchObject(notEnough(book));
      expect(await asCustomer("select quantity from public.cart_items where book_id = $1", book.id)).toEqual([
        { quantity: 2 },
      ]);
      expect(await stockOf(open(), book)).toBe(50);
      await setState(book, "on_sale");
      await placeOrder(open(), customer, { total: 40 });
      expect(await stockOf(open(), book)).toBe(48);
    });

    test("by ordering again, through a booklist or by phone", async () => {
      const book = await addSold();
      const placed = await order(open(), customer, [[book, 1]]);
      const [list] = await asStaff(
        "select id, code from public.save_booklist('School', 'Class 4', '2026/2027', $1::jsonb)",
        [{ book_id: book.id, copies: 1 }],
      );
      await asStaff(
        "select public.set_booklist_status(id, updated_at, 'published') from public.booklists where id = $1",
        list?.id,
      );
      await setState(book, state);
      expect(await asCustomer("select added, problem from public.order_again($1)", placed)).toEqual([
        { added: 0, problem },
      ]);
      const lines = await asStaff("select id from public.booklist_lines where booklist_id = $1", list?.id);
      expect(
        await asCustomer(
          "select added, problem from public.add_booklist_to_cart($1, $2)",
          list?.code,
          lines.map(({ id }) => id),
        ),
      ).toEqual([{ added: 0, problem }]);
      expect(
        await refusalOf(
          asStaff(
            "select public.place_order_for(gen_random_uuid(), $1, $2, $3, 20, $4::jsonb)",
            customer.id,
            [book.id],
            [1],
            { recipient_name: "Ama", recipient_phone: "024 412 3456" },
          ),
        ),
      ).toMatchObject(notEnough(book));
    });

    test("by a change of an order, which keeps what it has and can be cancelled and reopened", async () => {
      const book = await addSold();
      const placed = await order(open(), customer, [[book, 2]]);
      await setState(book, state);
      const change = (copies: number) =>
        asStaff(
          "select public.change_order(id, updated_at, $2, $3, $4) from public.orders where id = $1",
          placed,
          [book.id],
          [copies],
          copies * 20,
        );
      expect(await refusalOf(change(3))).toMatchObject(notEnough(book));
      await change(1);
      expect(await stockOf(open(), book)).toBe(49);
      for (const [status, left] of [
        ["cancelled", 50],
        ["pending", 49],
      ] as const) {
        await asStaff("update public.orders set status = $2 where id = $1", placed, status);
        expect(await stockOf(open(), book)).toBe(left);
      }
    });

    test("through a quote: not requested, not added by staff, not accepted", async () => {
      const [book, other] = [await addSold(), await addSold()];
      const quote = await requestQuoteFor(open(), customer, [[book, 1]]);
      await fillCart(open(), customer, [[book, 1]]);
      await setState(book, state);
      expect(await refusalOf(requestQuote(open(), customer))).toMatchObject({
        message: `These can't be ordered: ${book.title}. Please take them out of your cart.`,
        detail: { code: "not_for_sale" },
      });
      await emptyCart();
      const fresh = await requestQuoteFor(open(), customer, [[other, 1]]);
      expect(
        (
          await refusalOf(
            changeQuote(open(), admin, fresh, [
              [other, 1, 20],
              [book, 1, 20],
            ]),
          )
        ).detail,
      ).toMatchObject({ code: "book_not_found", book_id: book.id });
      const version = await changeQuote(open(), admin, quote, [[book, 1, 20]]);
      await sendQuote(open(), admin, quote, { version });
      const [sent] = await open().query<{ version: number }>(
        "select version from public.quotes where id = $1",
        [quote],
      );
      expect(await refusalOf(acceptQuote(open(), customer, quote, Number(sent?.version)))).toMatchObject(
        notEnough(book),
      );
    });
  });

  test("stands nowhere once it is not for sale, except under its ISBN and for staff", async () => {
    const isbn = newIsbn().isbn13;
    const word = `Zwedru${Date.now()}`;
    const shown = await addBook(open(), { title: `${word} now`, publisher: word, course: word });
    const soon = await addBook(open(), {
      title: `${word} soon`,
      publisher: word,
      course: word,
      sale_state: "coming_soon",
    });
    const gone = await addBook(open(), {
      title: `${word} gone`,
      publisher: word,
      course: word,
      isbn,
      sale_state: "not_for_sale",
    });
    const [listed, all] = [
      [shown.title, soon.title],
      [gone.title, shown.title, soon.title],
    ];
    const titles = async (rows: Promise<Row[]>) => (await rows).map(({ title }) => title).sort();
    const search = (fields: Row) =>
      titles(
        asVisitor(
          "select title from public.search_books(jsonb_populate_record(null::public.book_search, $1::jsonb))",
          fields,
        ),
      );
    for (const fields of [
      { q: word },
      { publisher: word },
      { course: word, sort: "newest" },
      { q: word, sort: "best" },
    ])
      expect(await search(fields)).toEqual(listed);
    expect(await search({ publisher: word, in_stock: true })).toEqual([shown.title]);
    for (const q of [isbn, isbn.replaceAll("-", "")]) expect(await search({ q })).toEqual([gone.title]);
    const page = async (fields: Row) =>
      (
        await asVisitor(
          `select public.catalogue_page(jsonb_populate_record(null::public.book_search, $1::jsonb),
                                        '{title,stock_quantity:for_sale}', true, true) as page`,
          fields,
        )
      )[0]?.page;
    expect(await page({ q: word })).toMatchObject({
      books: [
        { title: shown.title, stock_quantity: 10 },
        { title: soon.title, stock_quantity: -1 },
      ],
      total: 2,
      facets: [
        { facet: "course", books: 2 },
        { facet: "publisher", books: 2 },
      ],
    });
    expect(await titles(asVisitor("select title from public.suggest_books($1)", word))).toEqual(listed);
    expect(await titles(asVisitor("select title from public.suggest_books($1)", isbn))).toEqual([gone.title]);
    expect(await titles(asVisitor("select title from public.suggest_books($1)", isbn.slice(0, -2)))).toEqual(
      [],
    );
    expect(await titles(asVisitor("select title from public.list_related_books($1)", shown.id))).toEqual([
      soon.title,
    ]);
    const matches = (text: string) =>
      asVisitor("select matches from public.match_book_lines($1::jsonb)", [text]);
    expect(await matches(gone.title)).toEqual([{ matches: 0 }]);
    expect(await matches(isbn)).toEqual([{ matches: 1 }]);
    const byStaff = (state: string | null) =>
      titles(asStaff("select title from public.admin_list_books(_q => $1, _sale_state => $2)", word, state));
    expect(await byStaff(null)).toEqual(all);
    expect(await byStaff("coming_soon")).toEqual([soon.title]);
    expect(await byStaff("not_for_sale")).toEqual([gone.title]);
    expect(
      await asStaff("select public.admin_count_books(_q => $1, _sale_state => 'on_sale') as books", word),
    ).toEqual([{ books: 1 }]);
    expect(await search({ publisher: word, sale_state: "any" })).toEqual(all);
  });

  test("emails those who wait once what was coming soon is on sale with stock, and takes no request for what is gone", async () => {
    const emailsFor = async (book: TestBook) =>
      (
        await open().query(
          `select e.id from public.outgoing_emails e join public.stock_alerts a on a.id::text = e.event
            where e.kind = 'back_in_stock' and a.book_id = $1`,
          [book.id],
        )
      ).length;
    const ask = (book: TestBook) => asCustomer("select public.request_stock_alert($1)", book.id);
    const soon = await addBook(open(), { stock: 0, sale_state: "coming_soon" });
    await ask(soon);
    await open().query("update public.books set stock_quantity = 5 where id = $1", [soon.id]);
    expect(await emailsFor(soon)).toBe(0);
    await setState(soon, "on_sale");
    expect(await emailsFor(soon)).toBe(1);
    const [claimed] = await open().query<{ alert: Row }>(
      `select private.email_stock_alert(e) as alert from public.outgoing_emails e
         join public.stock_alerts a on a.id::text = e.event where a.book_id = $1`,
      [soon.id],
    );
    expect(claimed?.alert).toMatchObject({ is_new: true });
    const gone = await addBook(open(), { stock: 0, sale_state: "not_for_sale" });
    expect(await refusalOf(ask(gone))).toMatchObject({ code: "PT404" });
  });

  const importRows = async (rows: Row[]) => {
    const [created] = await asStaff("select public.create_book_import('list.csv', 50, 3, 'Press') as id");
    await asStaff("select public.stage_book_import_rows($1, $2::jsonb)", created?.id, rows);
    await asStaff("select public.apply_book_import($1)", created?.id);
    const found = await open().query<{
      action: string;
      not_a_book: boolean;
      problems: string[];
      book_id: string;
    }>(
      "select action, not_a_book, problems, book_id from public.book_import_rows where import_id = $1 order by line",
      [created?.id],
    );
    return { id: created?.id, rows: found };
  };
  const stateOf = async (id: unknown) =>
    (
      await open().query("select sale_state, available_on, stock_quantity from public.books where id = $1", [
        id,
      ])
    )[0];

  test("follows a list, whose undo brings the former state back; a gone title that the shop doesn't have is no problem", async () => {
    const isbns = [newIsbn(), newIsbn(), newIsbn(), newIsbn()].map(({ isbn13 }) => isbn13);
    const kept = await addBook(open(), { isbn: isbns[0], stock: 2 });
    const soon = await addBook(open(), {
      isbn: isbns[1],
      sale_state: "coming_soon",
      available_on: "2027-01",
    });
    const { id, rows } = await importRows([
      { line: 2, isbn: isbns[0], sale_state: "not_for_sale" },
      { line: 3, isbn: isbns[1], sale_state: "on_sale" },
      { line: 4, isbn: isbns[2], title: "Gone", sale_state: "last_copies" },
      {
        line: 5,
        isbn: isbns[3],
        title: "New",
        sale_state: "coming_soon",
        available_on: "2027",
        stock_quantity: 0,
      },
    ]);
    expect(rows.map(({ action }) => action)).toEqual(["update", "update", "refused", "add"]);
    expect(rows[2]).toMatchObject({
      not_a_book: true,
      problems: ["The list says that it is no longer sold, and the shop doesn't have it."],
    });
    expect(await stateOf(kept.id)).toEqual({
      sale_state: "not_for_sale",
      available_on: null,
      stock_quantity: 2,
    });
    expect(await stateOf(soon.id)).toMatchObject({ sale_state: "on_sale" });
    expect(await stateOf(rows[3]?.book_id)).toEqual({
      sale_state: "coming_soon",
      available_on: "2027",
      stock_quantity: 0,
    });
    await asStaff("select public.undo_book_import($1)", id);
    expect(await stateOf(kept.id)).toMatchObject({ sale_state: "on_sale", stock_quantity: 2 });
    expect(await stateOf(soon.id)).toMatchObject({ sale_state: "coming_soon", available_on: "2027-01" });
    expect(await stateOf(rows[3]?.book_id)).toBeUndefined();
  });

  test("comes back from an export unchanged, and stays where a list says nothing of it", async () => {
    const isbn = newIsbn().isbn13;
    const book = await addBook(open(), { isbn, sale_state: "coming_soon", available_on: "2027-01" });
    const [exported] = await asStaff("select public.export_books($1) as book", [book.id]);
    const { stock_quantity, ...fields } = (exported as { book: Row }).book;
    expect(fields).not.toHaveProperty("for_sale");
    const own = { ...fields, stock_quantity, seen_stock: stock_quantity };
    expect((await importRows([{ line: 2, ...own }])).rows[0]?.action).toBe("unchanged");
    await importRows([{ line: 2, isbn, price: 9 }]);
    expect(await stateOf(book.id)).toMatchObject({ sale_state: "coming_soon", available_on: "2027-01" });
  });
});
