import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import {
  acceptQuote,
  changeQuote,
  offerQuote,
  quoteOf,
  requestQuoteFor,
  sendQuote,
} from "#tests/support/quotes.ts";

describeDatabase("A quote that staff begin", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    book = await addBook(open(), { price: 50, stock: 1000 });
  });

  type Begun = { id?: string; user?: string | null; institution?: string; copyOf?: string | null };
  const begin = async (
    { id = randomUUID(), user = customer.id, institution = "Castle Road School", copyOf = null }: Begun = {},
    person = admin,
  ) => {
    await open().as(person, (query) =>
      query(
        "select public.begin_quote($1, $2, $3, 'The bursar', 'bursar@school.example', '024 412 3456', $4)",
        [id, user, institution, copyOf],
      ),
    );
    return id;
  };
  const ownList = async () => {
    const rows = await open().as(customer, (query) =>
      query<{ id: string }>("select id, found from public.list_own_quotes(1, 1000)"),
    );
    return rows.map(({ id }) => id);
  };

  test("is the customer's once it is sent, and they see nothing of it before", async () => {
    await open().query("update public.profiles set region = 'Volta' where id = $1", [customer.id]);
    const id = await begin();
    expect(await quoteOf(open(), id)).toMatchObject({
      user_id: customer.id,
      status: "requested",
      begun_by_staff: true,
      institution: "Castle Road School",
      contact_phone: "+233 24 412 3456",
      region: "Volta",
    });
    expect(await open().query("select from public.outgoing_emails where event like $1", [`${id}:%`])).toEqual(
      [],
    );
    expect(await ownList()).not.toContain(id);
    expect((await refusalOf(sendQuote(open(), admin, id))).detail).toEqual({ code: "invalid_lines" });
    await changeQuote(open(), admin, id, [[book, 20, 45]]);
    expect(await ownList()).not.toContain(id);
    const found = (name: string) =>
      open().as(customer, (query) => query(`select from public.${name}($1)`, [id]));
    expect(await found("find_own_quote")).toEqual([]);
    expect((await refusalOf(found("decline_quote"))).detail).toEqual({ code: "quote_not_found" });
    await sendQuote(open(), admin, id);
    expect(await ownList()).toContain(id);
    const { version } = await quoteOf(open(), id);
    await changeQuote(open(), admin, id, [[book, 20, 44]]);
    expect(await ownList(), "taken back, it is in preparation").toContain(id);
    await sendQuote(open(), admin, id);
    await acceptQuote(open(), customer, id, version + 2, { total: 880 });
  });

  test("starts from an older quote with its customer, delivery and what is still sold, at today's prices", async () => {
    const gone = await addBook(open());
    const delivery = { method: "bus_station", region: "Oti", pricing: "agreed", fee: 9 };
    const lines: [TestBook, number, number][] = [
      [book, 30, 40],
      [gone, 5, 5],
    ];
    const older = await offerQuote(open(), { admin, customer }, lines, delivery);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [gone.id]));
    await open().query("update public.books set price = 60 where id = $1", [book.id]);
    const id = await begin({ user: null, copyOf: older.id });
    expect(await quoteOf(open(), id)).toMatchObject({
      user_id: customer.id,
      delivery_method: "bus_station",
      region: "Oti",
      delivery_pricing: "fees",
      delivery_fee: null,
    });
    expect(
      await open().query(
        "select book_id, quantity, unit_price::float8 as unit, shop_price::float8 as shop, requested from public.quote_lines where quote_id = $1",
        [id],
      ),
    ).toEqual([{ book_id: book.id, quantity: 30, unit: 60, shop: 60, requested: false }]);
    expect(await quoteOf(open(), older.id)).toMatchObject({ status: "sent", version: older.version });
  });

  test("is begun once, however often it is sent at once, and not again for someone else", async () => {
    const id = randomUUID();
    await Promise.all(Array.from({ length: 8 }, () => begin({ id })));
    expect(await open().query("select from public.audit_log where row_id = $1", [id])).toHaveLength(1);
    expect((await refusalOf(begin({ id, institution: "Another school" }))).detail).toEqual({
      code: "quote_exists",
    });
    expect((await refusalOf(begin({ id, user: admin.id }))).detail).toEqual({ code: "quote_exists" });
  });

  test("needs a customer, and the duty People to choose their account", async () => {
    expect((await refusalOf(begin({ user: randomUUID() }))).detail).toEqual({ code: "customer_not_found" });
    expect((await refusalOf(begin({ copyOf: randomUUID() }))).detail).toEqual({ code: "quote_not_found" });
    expect((await refusalOf(begin({ institution: " " }))).detail).toMatchObject({ field: "institution" });
    const clerk = await addCustomer(open());
    await open().query("insert into public.staff_duties (user_id, duty) values ($1, 'schools')", [clerk.id]);
    expect((await refusalOf(begin({}, clerk))).detail).toMatchObject({
      code: "duty_missing",
      duty: "people",
    });
    await begin({ user: null, copyOf: await begin() }, clerk);
    const forgotten = await addCustomer(open());
    const older = await requestQuoteFor(open(), forgotten, [[book, 1]]);
    await open().query("select public.anonymise_customer($1)", [forgotten.id]);
    expect((await refusalOf(begin({ user: null, copyOf: older }))).detail).toEqual({
      code: "quote_without_customer",
    });
  });

  test("doesn't count towards the customer's own requests of a day", async () => {
    const busy = await addCustomer(open());
    for (let n = 0; n < 20; n += 1) await begin({ user: busy.id });
    await requestQuoteFor(open(), busy, [[book, 1]]);
  });
});
