import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { changeQuote, offerQuote, quoteOf, requestQuoteFor, sendQuote } from "#tests/support/quotes.ts";
import { setSettings } from "#tests/support/settings.ts";

describeOnOwnServerToo("Preparing a quote", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });
  const forget = () => open().query("update public.quotes set created_at = created_at - interval '2 days'");

  test("changes prices, quantities and lines; a line that stays keeps its title and the shop's price of that day", async () => {
    const [maths, reading, extra] = [
      await addBook(open(), { title: "Maths", price: 50 }),
      await addBook(open(), { title: "Reading", price: 20 }),
      await addBook(open(), { title: "Extra", price: 10 }),
    ];
    const id = await requestQuoteFor(open(), customer, [
      [maths, 2],
      [reading, 3],
    ]);
    await open().query("update public.books set price = 99, title = 'Maths, second edition' where id = $1", [
      maths.id,
    ]);
    expect(
      await changeQuote(open(), admin, id, [
        [extra, 1000, 8.75],
        [maths, 40, 45],
      ]),
    ).toBe(2);
    expect(
      await open().query(
        `select title, requested, quantity, unit_price::float8 as unit, shop_price::float8 as shop
           from public.quote_lines where quote_id = $1 order by position`,
        [id],
      ),
    ).toEqual([
      { title: "Extra", requested: false, quantity: 1000, unit: 8.75, shop: 10 },
      { title: "Maths", requested: true, quantity: 40, unit: 45, shop: 50 },
    ]);
  });

  test("keeps a quote's seller as it was on the day the quote was sent, until it is sent again", async () => {
    await forget();
    const legal = (legalName: string) => setSettings(open(), admin, { legalName, address: [legalName] });
    const sellerOf = async (id: string) => {
      const [row] = await open().as(customer, (query) =>
        query<{ shop: object }>("select shop from public.find_own_quote($1)", [id]),
      );
      return row?.shop;
    };
    await legal("Before");
    const book = await addBook(open());
    const id = await requestQuoteFor(open(), customer, [[book, 1]]);
    await sendQuote(open(), admin, id);
    await legal("After");
    expect(await sellerOf(id)).toMatchObject({ legalName: "Before", address: ["Before"] });
    await changeQuote(open(), admin, id, [[book, 2, 5]]);
    expect(await sellerOf(id)).toMatchObject({ legalName: "After" });
    await sendQuote(open(), admin, id);
    await legal("Later");
    expect(await sellerOf(id)).toMatchObject({ legalName: "After", address: ["After"] });
  });

  test("is refused as a whole for lines that are not books, quantities and prices, and changes nothing", async () => {
    await forget();
    const book = await addBook(open());
    const id = await requestQuoteFor(open(), customer, [[book, 1]]);
    const line = { book_id: book.id, quantity: 1, unit_price: 5 };
    const bad: unknown[] = [
      null,
      {},
      [],
      "x",
      [null],
      [[]],
      [{}],
      [{ ...line, book_id: "x" }],
      [{ ...line, book_id: null }],
      [{ ...line, quantity: 0 }],
      [{ ...line, quantity: 10_000 }],
      [{ ...line, quantity: 1.5 }],
      [{ ...line, quantity: "1" }],
      [{ ...line, unit_price: -0.01 }],
      [{ ...line, unit_price: 0.001 }],
      [{ ...line, unit_price: 1e9 }],
      [line, line],
      [line, { ...line, book_id: book.id.toUpperCase() }],
      Array.from({ length: 1001 }, () => ({ ...line, book_id: randomUUID() })),
    ];
    for (const lines of bad) {
      const refusal = await refusalOf(
        open().as(admin, (query) =>
          query("select public.update_quote($1, 1, $2::jsonb)", [id, JSON.stringify(lines)]),
        ),
      );
      expect([JSON.stringify(lines).slice(0, 80), refusal.detail]).toEqual([
        expect.anything(),
        expect.objectContaining({ code: "invalid_lines" }),
      ]);
    }
    const deleted = changeQuote(open(), admin, id, [
      [book, 1, 5],
      [{ id: randomUUID() }, 1, 5],
    ]);
    expect((await refusalOf(deleted)).detail).toMatchObject({ code: "book_not_found" });
    const dear = changeQuote(open(), admin, id, [[book, 2, 99_999_999.99]]);
    expect((await refusalOf(dear)).detail).toMatchObject({ field: "total" });
    expect((await quoteOf(open(), id)).version).toBe(1);
  });

  test("takes a last day from today to 366 days ahead, and 30 days without one", async () => {
    await forget();
    const book = await addBook(open());
    const id = await requestQuoteFor(open(), customer, [[book, 1]]);
    const day = async (ahead: number) =>
      String(
        (await open().query<{ day: string }>("select (private.today() + $1::int)::text as day", [ahead]))[0]
          ?.day,
      );
    for (const ahead of [-1, 367])
      expect(
        (await refusalOf(changeQuote(open(), admin, id, [[book, 1, 5]], { validUntil: await day(ahead) })))
          .detail,
      ).toMatchObject({ field: "valid_until", rule: "range" });
    for (const ahead of [0, 366])
      await changeQuote(open(), admin, id, [[book, 1, 5]], { validUntil: await day(ahead) });
    await changeQuote(open(), admin, id, [[book, 1, 5]]);
    await sendQuote(open(), admin, id);
    const [row] = await open().query(
      "select valid_until - private.today() as days from public.quotes where id = $1",
      [id],
    );
    expect(row).toEqual({ days: 30 });
  });

  test("needs the version that was read, so that two admins do not overwrite each other", async () => {
    await forget();
    const book = await addBook(open());
    const id = await requestQuoteFor(open(), customer, [[book, 1]]);
    const outcomes = await Promise.allSettled([
      changeQuote(open(), admin, id, [[book, 2, 5]], { version: 1 }),
      changeQuote(open(), admin, id, [[book, 3, 5]], { version: 1 }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const call of ["update_quote($1, 1, $2::jsonb)", "send_quote($1, 1)", "withdraw_quote($1, 1)"]) {
      const values = call.includes("$2") ? [id, "[]"] : [id];
      const stale = open().as(admin, (query) => query(`select public.${call}`, values));
      expect((await refusalOf(stale)).detail).toEqual({ code: "quote_changed", version: 2 });
    }
  });

  test("gives numbers without gaps each year, at the first sending only, even if every other sending fails", async () => {
    await forget();
    const book = await addBook(open());
    const schools = await Promise.all([1, 2, 3, 4].map(() => addCustomer(open())));
    const ids: string[] = [];
    for (const school of schools)
      for (let n = 0; n < 6; n += 1) ids.push(await requestQuoteFor(open(), school, [[book, 1]]));
    await open().query("delete from private.yearly_numbers");
    await open().query("update public.quotes set year = year - 100 where number is not null");
    await Promise.allSettled(
      ids.map((id, at) =>
        open().as(admin, async (query) => {
          await query("select public.send_quote($1, 1)", [id]);
          if (at % 2) throw new Error("undone");
        }),
      ),
    );
    const sent = await open().query<{ number: number; reference: string; year: number }>(
      "select number, reference, year from public.quotes where id = any ($1::uuid[]) and number is not null order by number",
      [ids],
    );
    expect(sent.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    expect(sent[0]?.reference).toBe(`Q${sent[0]?.year}-0001`);
    const id = ids[0] as string;
    const { reference } = await quoteOf(open(), id);
    await changeQuote(open(), admin, id, [[book, 2, 5]]);
    expect(await sendQuote(open(), admin, id)).toBe(reference);
    await open().query("update private.yearly_numbers set last_number = 12344");
    expect(await sendQuote(open(), admin, ids[1] as string)).toBe(`Q${sent[0]?.year}-12345`);
  });

  test("sends and withdraws only what is open; a withdrawn quote can be prepared again", async () => {
    await forget();
    const book = await addBook(open());
    const { id, version } = await offerQuote(open(), { customer, admin }, [[book, 1, 5]]);
    expect((await refusalOf(sendQuote(open(), admin, id))).detail).toMatchObject({
      code: "quote_not_requested",
    });
    await open().as(admin, (query) => query("select public.withdraw_quote($1, $2)", [id, version]));
    const again = open().as(admin, (query) =>
      query("select public.withdraw_quote($1, $2)", [id, version + 1]),
    );
    expect((await refusalOf(again)).detail).toEqual({ code: "quote_not_open", status: "withdrawn" });
    await changeQuote(open(), admin, id, [[book, 1, 4]]);
    expect(await quoteOf(open(), id)).toMatchObject({ status: "requested", sent_at: null });
  });

  test("finds quotes by reference, institution, contact, phone and purchase order number, and by status", async () => {
    await forget();
    const book = await addBook(open());
    const { id } = await offerQuote(open(), { customer, admin }, [[book, 3, 5]]);
    await open().query(
      "update public.quotes set institution = 'Wesley Girls', contact_phone = '024 111 2222', purchase_order_number = 'LPO/88' where id = $1",
      [id],
    );
    const find = async (q: string | null, status: string | null = null) => {
      const [rows, counted] = await open().as(admin, async (query) => [
        await query<{ id: string; status: string; total: string }>(
          "select * from public.admin_list_quotes($1, $2)",
          [status, q],
        ),
        await query<{ n: number }>("select public.admin_count_quotes($1, $2) as n", [status, q]),
      ]);
      expect(counted[0]?.n).toBe(rows.length);
      return rows.map((row) => row.id);
    };
    const { reference } = await quoteOf(open(), id);
    for (const q of [String(reference), "wesley", "teacher@", "0241112222", "lpo/88"])
      expect(await find(q), q).toContain(id);
    expect(await find("nothing like it")).toEqual([]);
    expect(await find(null, "sent")).toContain(id);
    await open().query("update public.quotes set valid_until = private.today() - 1 where id = $1", [id]);
    expect(await find(null, "sent")).not.toContain(id);
    expect(await find(null, "expired")).toEqual([id]);
  });
});
