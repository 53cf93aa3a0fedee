import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import {
  digitalAddressSpellings,
  isbnSpellings,
  notDigitalAddresses,
  notPhones,
  otherCodes,
  otherPhones,
  phoneSpellings,
  severalIsbns,
} from "#tests/support/code-spellings.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  fillCart,
  order,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";

const ISBN = "9780306406157";

describeDatabase("A book's number, however it was typed", (open) => {
  let admin: SignedIn;
  let book: TestBook;
  let other: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    book = await addBook(open(), { title: "Mill on the Weir", isbn: "978-0-306-40615-7" });
    other = await addBook(open(), { title: "Ananse Returns", isbn: "0439023483" });
  });

  /** The statement's rows, one for each text, in their order. */
  const each = <Row extends object>(texts: readonly string[], select: string, from = "") =>
    open().as(visitor, (query) =>
      query<Row>(
        `select ${select} from unnest($1::text[]) with ordinality as given (text, place) ${from} order by place`,
        [texts],
      ),
    );

  test("is read as one ISBN, and stored as its thirteen digits", async () => {
    const read = await each(
      isbnSpellings,
      "private.isbn13(text) as isbn13, private.isbn_key(text) as key, private.written_isbn(text) as written",
    );
    const one = { isbn13: ISBN, key: ISBN, written: ISBN };
    expect(read.map((row, at) => [isbnSpellings[at], row])).toEqual(isbnSpellings.map((text) => [text, one]));
  });

  test("is no ISBN if it holds two, and identifies both books", async () => {
    const read = await each(severalIsbns, "private.isbn13(text) as isbn13, private.isbn_keys(text) as keys");
    const two = { isbn13: null, keys: [ISBN, "9780439023481"] };
    expect(read).toEqual(severalIsbns.map(() => two));
  });

  test("stays a code of the shop's own unless it is nothing but an ISBN", async () => {
    const read = await each(
      otherCodes.map(([text]) => text),
      "coalesce(private.isbn_key(text), '') as key, private.written_isbn(text) as written, private.isbns(text) as isbns",
    );
    expect(read).toEqual(otherCodes.map(([, key, written]) => ({ key, written, isbns: [] })));
  });

  test("finds its book in the search, the suggestions, the bulk pad, the back office's list and a count", async () => {
    for (const text of isbnSpellings) {
      const found = async (
        statement: string,
        parameter: unknown,
        person: SignedIn | typeof visitor = visitor,
      ) =>
        (await open().as(person, (query) => query<{ title: string }>(statement, [parameter]))).map(
          ({ title }) => title,
        );
      expect(
        {
          search: await found(`select title from ${searchCall("search_books")}`, { q: text }),
          suggestions: await found("select title from public.suggest_books($1)", text),
          pad: await found(
            "select books -> 0 ->> 'title' as title from public.match_book_lines(jsonb_build_array($1::text))",
            text,
          ),
          office: await found("select title from public.admin_list_books(_q => $1)", text, admin),
          scan: await found(
            "select b.title from public.books b where b.isbn_key = private.isbn_key($1)",
            text,
          ),
        },
        text,
      ).toEqual({
        search: [book.title],
        suggestions: [book.title],
        pad: [book.title],
        office: [book.title],
        scan: [book.title],
      });
    }
  });

  test("finds both books of a line with two ISBNs", async () => {
    for (const text of severalIsbns)
      expect(
        await open().as(visitor, (query) =>
          query(
            "select jsonb_agg(b ->> 'title' order by b ->> 'title') as titles from public.match_book_lines(jsonb_build_array($1::text)) m, jsonb_array_elements(m.books) b",
            [text],
          ),
        ),
        text,
      ).toEqual([{ titles: [other.title, book.title] }]);
  });

  test.each(["isbn 978 0 306", "ISBN: 978\u20110\u2011306", "0-306-40", "ISBN-10 03064", "9780306406157"])(
    "is found by its beginning %j",
    async (typed) => {
      const rows = await open().as(visitor, (query) =>
        query("select title from public.suggest_books($1)", [typed]),
      );
      expect(rows).toEqual([{ title: book.title }]);
      expect(
        await open().as(visitor, (query) =>
          query(`select title from ${searchCall("search_books")}`, [{ q: typed }]),
        ),
      ).toEqual([{ title: book.title }]);
    },
  );

  test("does not bring a known book in twice, and a new one with one ISBN", async () => {
    const call = (statement: string, parameters: unknown[]) =>
      open().as(admin, (query) => query(statement, parameters));
    for (const isbn of [...isbnSpellings, ...severalIsbns]) {
      const [created] = await call("select public.create_book_import('list.csv') as id", []);
      await call("select public.stage_book_import_rows($1, $2)", [
        created?.id,
        [{ line: 2, title: book.title, isbn, price: 45.5 }],
      ]);
      const [row] = await call("select action, book_id, problems from public.preview_book_import($1)", [
        created?.id,
      ]);
      const isOne = (isbnSpellings as readonly string[]).includes(isbn);
      expect(row, isbn).toEqual(
        isOne
          ? { action: "unchanged", book_id: book.id, problems: [] }
          : expect.objectContaining({
              action: "refused",
              problems: expect.arrayContaining(["There are several ISBNs in one cell. Keep one."]),
            }),
      );
    }
  });

  test("is stored in one form when a book is added or changed, and a barcode of stationery as it is", async () => {
    const isbnOf = async ({ id }: TestBook) =>
      (await open().query<{ isbn: string }>("select isbn from public.books where id = $1", [id]))[0]?.isbn;
    const added = await addBook(open(), { isbn: "\u200bISBN-10: 0-521-49781-7 (pbk)" });
    expect(await isbnOf(added)).toBe("9780521497817");
    await open().as(admin, (query) =>
      query("update public.books set isbn = '978-0-00-813536-2' where id = $1", [added.id]),
    );
    expect(await isbnOf(added)).toBe("9780008135362");
    const pen = await addBook(open(), { isbn: "0521497817", kind: "stationery" });
    expect(await isbnOf(pen)).toBe("0521497817");
    await open().query("delete from public.books where id = any ($1)", [[added.id, pen.id]]);
  });

  test("is found in a row from before, which any later edit brings into that form", async () => {
    const old = await addBook(open(), { title: "From before" });
    // As a restored backup has it: nothing checks its rows.
    await open().query("alter table public.books disable trigger user");
    await open().query("update public.books set isbn = '=\"978-1-108-61531-0\"' where id = $1", [old.id]);
    await open().query("alter table public.books enable trigger user");
    const find = () =>
      open().as(visitor, (query) =>
        query(`select title, isbn from ${searchCall("search_books")}`, [{ q: "ISBN 978 1 108 61531 0" }]),
      );
    expect(await find()).toEqual([{ title: "From before", isbn: '="978-1-108-61531-0"' }]);
    await open().as(admin, (query) => query("update public.books set price = 12 where id = $1", [old.id]));
    expect(await find()).toEqual([{ title: "From before", isbn: "9781108615310" }]);
  });
});

describeDatabase("A phone number, however it was typed", (open) => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });

  const written = async (texts: readonly string[]) =>
    (
      await open().query<{ phone: string | null }>(
        "select private.phone(text) as phone from unnest($1::text[]) with ordinality as given (text, place) order by place",
        [texts],
      )
    ).map(({ phone }) => phone);

  test("is read as one number, in one form", async () => {
    expect(await written(phoneSpellings)).toEqual(phoneSpellings.map(() => "+233 24 412 3456"));
    expect(await written(otherPhones.map(([typed]) => typed))).toEqual(otherPhones.map(([, form]) => form));
    expect(await written(notPhones)).toEqual(notPhones.map(() => null));
  });

  test("is stored in that form by a profile, an order, a quote, a request, a registration, a supplier and a setting", async () => {
    const typed = "\u2066024\u2011412\u20113456\u2069";
    const form = "+233 24 412 3456";
    const person = await addCustomer(open(), { full_name: "Efua Boateng", phone: typed });
    const book = await addBook(open());
    const placed = await placeOrder(person, book, typed);
    const as = (by: SignedIn, statement: string, parameters: unknown[] = []) =>
      open().as(by, (query) => query<{ phone: string }>(statement, parameters));
    const quote = randomUUID();
    await fillCart(open(), person, [[book, 1]]);
    await as(person, "select public.request_quote($1, 'School', 'Efua', 'efua@school.example', $2)", [
      quote,
      typed,
    ]);
    const consultation = randomUUID();
    await as(person, "select public.request_consultation($1, 'Efua', 'Which atlas?', _phone => $2)", [
      consultation,
      typed,
    ]);
    const supplier = randomUUID();
    await as(admin, "select public.save_supplier($1, $2, _phone => $3)", [
      supplier,
      `Press ${supplier}`,
      typed,
    ]);
    await as(admin, "select public.update_settings($1, $2)", [
      { phones: ["036 202 1234"], whatsApp: "0244123456" },
      { phones: null, whatsApp: null },
    ]);
    const stored = await open().query(
      `select (select phone from public.profiles where id = $1) as profile,
              (select recipient_phone from public.orders where id = $2) as order,
              (select contact_phone from public.quotes where id = $3) as quote,
              (select phone from public.consultations where id = $4) as consultation,
              (select phone from public.suppliers where id = $5) as supplier,
              (select (private.read_registration('Efua', null, $6, null)).phone) as registration,
              (select (private.read_shipment(jsonb_build_object('driver_phone', $6::text))) ->> 'driver_phone') as driver,
              (select value #>> '{0}' from public.shop_settings where id = 'phones') as setting,
              (select value #>> '{}' from public.shop_settings where id = 'whatsApp') as chat`,
      [person.id, placed, quote, consultation, supplier, typed],
    );
    expect(stored).toEqual([
      {
        profile: form,
        order: form,
        quote: form,
        consultation: form,
        supplier: form,
        registration: form,
        driver: form,
        setting: "+233 36 202 1234",
        chat: form,
      },
    ]);
  });

  const placeOrder = async (person: SignedIn, book: TestBook, phone: string) => {
    const id = await order(open(), person, [[book, 1]]);
    await open().query(
      "update public.orders set recipient_phone = (private.clean_order(jsonb_populate_record(null::public.orders, jsonb_build_object('recipient_phone', $2::text)))).recipient_phone where id = $1",
      [id, phone],
    );
    return id;
  };

  test("finds the same orders and people in the back office, however the row or the search has it", async () => {
    const book = await addBook(open());
    const ids: string[] = [];
    // As older rows have it: nothing brought them into one form.
    for (const phone of ["0509876543", "050 987 6543", "+233509876543", "+233 50 987 6543", "233509876543"]) {
      const person = await addCustomer(open());
      const id = await order(open(), person, [[book, 1]]);
      await open().query("update public.orders set recipient_phone = $2 where id = $1", [id, phone]);
      ids.push(id);
    }
    const spellings = [
      "0509876543",
      "050 987 6543",
      "+233509876543",
      "+233 50 987 6543",
      "233509876543",
      "00233 50-987-6543",
    ];
    for (const q of [...spellings, "+23350987", "\u200b+233\u201150\u2011987\u20116543", "987 6543"])
      expect(
        (
          await open().as(admin, (query) =>
            query<{ id: string }>("select id from public.admin_list_orders(_q => $1)", [q]),
          )
        )
          .map(({ id }) => id)
          .sort(),
        q,
      ).toEqual(ids.toSorted());
  });

  test("that nobody can have is refused in every form, and does not keep an older profile from being saved", async () => {
    const person = await addCustomer(open());
    for (const phone of ["0000000000", "+000000000", "024 412 3456 / 020 111 2233"])
      expect(
        (
          await refusalOf(
            open().as(person, (query) =>
              query(
                "select public.request_quote(gen_random_uuid(), 'School', 'Efua', 'efua@school.example', $1)",
                [phone],
              ),
            ),
          )
        ).detail,
        phone,
      ).toMatchObject({ field: "contact_phone", rule: "phone" });
    await open().query("update public.profiles set phone = '0000000000' where id = $1", [person.id]);
    await open().as(person, (query) =>
      query("update public.profiles set city = 'Tamale' where id = $1", [person.id]),
    );
    expect(await open().query("select phone, city from public.profiles where id = $1", [person.id])).toEqual([
      { phone: "0000000000", city: "Tamale" },
    ]);
  });
});

describeDatabase("A digital address, however it was typed", (open) => {
  const saveAs = (person: SignedIn, values: { [column: string]: string }) =>
    open().as(person, (query) =>
      query(
        `update public.profiles set ${Object.keys(values)
          .map((name, at) => `${name} = $${at + 2}`)
          .join(", ")}
          where id = $1 returning digital_address`,
        [person.id, ...Object.values(values)],
      ),
    );

  test("is stored in its written form, and refused where a group or the region is wrong", async () => {
    const person = await addCustomer(open());
    for (const [typed, written] of digitalAddressSpellings)
      expect(await saveAs(person, { digital_address: typed }), typed).toEqual([{ digital_address: written }]);
    for (const typed of notDigitalAddresses)
      expect((await refusalOf(saveAs(person, { digital_address: typed }))).detail, typed).toMatchObject({
        field: "digital_address",
        rule: "digital_address",
      });
    expect(await saveAs(person, { digital_address: " \u200b " })).toEqual([{ digital_address: null }]);
  });

  test("that nothing has does not keep an older profile or order from being changed", async () => {
    const person = await addCustomer(open());
    const id = await order(open(), person, [[await addBook(open()), 1]]);
    await open().query("alter table public.profiles disable trigger user");
    await open().query("update public.profiles set digital_address = 'ZZ-183-8164' where id = $1", [
      person.id,
    ]);
    await open().query("alter table public.profiles enable trigger user");
    await open().query("update public.orders set digital_address = 'ZZ-183-8164' where id = $1", [id]);
    expect(await saveAs(person, { city: "Tamale" })).toEqual([{ digital_address: "ZZ-183-8164" }]);
    await open().query("update public.orders set status = 'processing' where id = $1", [id]);
    expect((await refusalOf(saveAs(person, { digital_address: "ZZ-183-8165" }))).detail).toMatchObject({
      rule: "digital_address",
    });
  });
});
