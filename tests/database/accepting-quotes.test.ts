import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  fillCart,
  movementsOf,
  order,
  stockOf,
} from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { addCodeTitle } from "#tests/support/digital.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import {
  acceptQuote,
  changeQuote,
  offerQuote,
  quoteOf,
  requestQuoteFor,
  sendQuote,
} from "#tests/support/quotes.ts";

describeOnOwnServerToo("Accepting a quote", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });
  const school = async () => ({ admin, customer: await addCustomer(open()) });

  test("makes a pending order at the quote's prices, takes the stock, and leaves the cart", async () => {
    const people = await school();
    const maths = await addBook(open(), { title: "Maths", price: 50, stock: 100 });
    const reading = await addBook(open(), { title: "Reading", price: 20, stock: 40, publisher: "CGP" });
    const { id, version } = await offerQuote(open(), people, [
      [maths, 60, 44.99],
      [reading, 40, 20],
    ]);
    await fillCart(open(), people.customer, [[maths, 1]]);
    const orderId = await acceptQuote(open(), people.customer, id, version, { po: " LPO\t2026/11 " });
    const [placed] = await open().query(
      "select user_id, total_amount::float8 as total, status, stock_held, recipient_name, shipping_address from public.orders where id = $1",
      [orderId],
    );
    expect(placed).toEqual({
      user_id: people.customer.id,
      total: 3499.4,
      status: "pending",
      stock_held: true,
      recipient_name: "A teacher",
      shipping_address: "5 Castle Road, Cape Coast",
    });
    expect(
      await open().query(
        "select book_id, title, publisher, quantity, price::float8 as price from public.order_items where order_id = $1 order by title",
        [orderId],
      ),
    ).toEqual([
      { book_id: maths.id, title: "Maths", publisher: null, quantity: 60, price: 44.99 },
      { book_id: reading.id, title: "Reading", publisher: "CGP", quantity: 40, price: 20 },
    ]);
    expect([await stockOf(open(), maths), await stockOf(open(), reading)]).toEqual([40, 0]);
    expect(await movementsOf(open(), maths)).toEqual(["-60 order"]);
    expect(await quoteOf(open(), id)).toMatchObject({
      status: "accepted",
      order_id: orderId,
      purchase_order_number: "LPO 2026/11",
    });
    expect(
      await open().query("select from public.cart_items where user_id = $1", [people.customer.id]),
    ).toHaveLength(1);
    const [logged] = await open().query(
      "select count(*) as n from public.audit_log where table_name = 'orders' and row_id = $1 and action = 'insert' and actor = $2",
      [orderId, people.customer.id],
    );
    expect(logged).toEqual({ n: 1 });
    expect(
      await open().query("select kind from public.outgoing_emails where order_id = $1 order by kind", [
        orderId,
      ]),
      // The recipient's address isn't the account's.
    ).toEqual([{ kind: "new_order" }, { kind: "order_placed" }, { kind: "recipient_order_placed" }]);
    await open().as(people.customer, (query) =>
      query("update public.orders set status = 'cancelled' where id = $1", [orderId]),
    );
    expect(await stockOf(open(), maths)).toBe(100);
  });

  test("of digital titles alone makes an order without an address; with anything else it can't be downloaded", async () => {
    const people = await school();
    const codes = await addCodeTitle(open(), admin, 3);
    const book = await addBook(open(), { stock: 3 });
    const download = { delivery_method: "download" };
    const { id, version } = await offerQuote(open(), people, [[codes, 2, 5]]);
    const kinds = await open().as(people.customer, (query) =>
      query("select lines #>> '{0,kind}' as kind from public.find_own_quote($1)", [id]),
    );
    expect(kinds).toEqual([{ kind: "digital" }]);
    const orderId = await acceptQuote(open(), people.customer, id, version, { delivery: download });
    expect(
      await open().query(
        "select delivery_method, delivery_fee::float8 as fee, shipping_address, region from public.orders where id = $1",
        [orderId],
      ),
    ).toEqual([{ delivery_method: "download", fee: 0, shipping_address: null, region: null }]);

    const mixed = await offerQuote(open(), people, [
      [codes, 1, 5],
      [book, 1, 5],
    ]);
    const refused = await refusalOf(
      acceptQuote(open(), people.customer, mixed.id, mixed.version, { delivery: download }),
    );
    expect(refused.detail).toMatchObject({ code: "delivery_needed" });
    expect(await stockOf(open(), book)).toBe(3);
  });

  test("accepting makes one order of ten concurrent clicks, and each of them finds it", async () => {
    const people = await school();
    const book = await addBook(open(), { stock: 15 });
    const { id, version } = await offerQuote(open(), people, [[book, 10, 5]]);
    const orders = await Promise.all(
      Array.from({ length: 10 }, () => acceptQuote(open(), people.customer, id, version)),
    );
    expect(new Set(orders).size).toBe(1);
    expect(await stockOf(open(), book)).toBe(5);
    expect(await acceptQuote(open(), people.customer, id, 1, { po: "Another" })).toBe(orders[0]);
    expect(
      await open().query("select from public.orders where user_id = $1", [people.customer.id]),
    ).toHaveLength(1);
  });

  test("sells no copy twice to two schools", async () => {
    const book = await addBook(open(), { title: "Scarce", stock: 10 });
    const offers = [];
    for (let n = 0; n < 2; n += 1) {
      const people = await school();
      offers.push({ people, ...(await offerQuote(open(), people, [[book, 6, 5]])) });
    }
    const outcomes = await Promise.allSettled(
      offers.map(({ people, id, version }) => acceptQuote(open(), people.customer, id, version)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await stockOf(open(), book)).toBe(4);
  });

  test("is refused with the titles when stock ran out, and leaves nothing behind", async () => {
    const people = await school();
    const maths = await addBook(open(), { title: "Maths", stock: 10 });
    const reading = await addBook(open(), { title: "Reading", stock: 10 });
    const { id, version } = await offerQuote(open(), people, [
      [maths, 8, 5],
      [reading, 8, 5],
    ]);
    await order(open(), customer, [[reading, 5]]);
    expect(await refusalOf(acceptQuote(open(), people.customer, id, version))).toEqual({
      code: "PT409",
      message: "Not enough in stock: Reading (5 left).",
      detail: {
        code: "insufficient_stock",
        lines: [{ book_id: reading.id, title: "Reading", requested: 8, left: 5 }],
      },
    });
    expect(await stockOf(open(), maths)).toBe(10);
    expect(await quoteOf(open(), id)).toMatchObject({ status: "sent", order_id: null });
    expect(await open().query("select from public.orders where user_id = $1", [people.customer.id])).toEqual(
      [],
    );
  });

  test("is refused when a title is no longer sold, until it is restored", async () => {
    const people = await school();
    const book = await addBook(open(), { title: "Gone", stock: 10 });
    const { id, version } = await offerQuote(open(), people, [[book, 8, 5]]);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [book.id]));
    expect((await refusalOf(acceptQuote(open(), people.customer, id, version))).detail).toEqual({
      code: "books_not_sold",
      lines: [{ book_id: book.id, title: "Gone" }],
    });
    await open().as(admin, (query) =>
      query(
        "select public.restore_book((select max(id) from public.audit_log where row_id = $1 and action = 'delete'))",
        [book.id],
      ),
    );
    await acceptQuote(open(), people.customer, id, version);
    expect(await stockOf(open(), book)).toBe(2);
  });

  test("is refused for another version, a draft, an expired, a withdrawn and a declined quote, and to everyone else", async () => {
    const people = await school();
    const book = await addBook(open(), { stock: 100 });
    const { id, version } = await offerQuote(open(), people, [[book, 1, 5]]);
    const refused = async (seen = version, person = people.customer) =>
      (await refusalOf(acceptQuote(open(), person, id, seen))).detail;
    expect(await refused(version, customer)).toEqual({ code: "quote_not_found" });
    expect(await refused(version, admin)).toEqual({ code: "quote_not_found" });
    const changed = await changeQuote(open(), admin, id, [[book, 1, 6]]);
    expect(await refused(changed)).toEqual({ code: "quote_not_open", status: "requested" });
    await sendQuote(open(), admin, id);
    expect(await refused()).toEqual({ code: "quote_changed", version: changed + 1 });
    const { version: current } = await quoteOf(open(), id);
    await open().query("update public.quotes set valid_until = private.today() - 1 where id = $1", [id]);
    expect(await refused(current + 1)).toEqual({ code: "quote_expired" });
    await open().as(people.customer, (query) => query("select public.decline_quote($1)", [id]));
    await open().as(people.customer, (query) => query("select public.decline_quote($1)", [id]));
    expect(await refused(current + 2)).toEqual({ code: "quote_not_open", status: "declined" });
    await changeQuote(open(), admin, id, [[book, 1, 6]]);
    await open().as(admin, async (query) =>
      query("select public.withdraw_quote($1, $2)", [id, (await quoteOf(open(), id)).version]),
    );
    expect(await refused((await quoteOf(open(), id)).version)).toEqual({
      code: "quote_not_open",
      status: "withdrawn",
    });
    expect(await stockOf(open(), book)).toBe(100);
    expect((await refusalOf(acceptQuote(open(), people.customer, randomUUID(), 1))).detail).toEqual({
      code: "quote_not_found",
    });
  });

  test("can be done on the last day", async () => {
    const people = await school();
    const book = await addBook(open());
    const { id, version } = await offerQuote(open(), people, [[book, 1, 5]]);
    await open().query("update public.quotes set valid_until = private.today() where id = $1", [id]);
    await acceptQuote(open(), people.customer, id, version + 1);
  });

  test.each([null, "", " \t"])("needs no purchase order number, such as %j", async (po) => {
    const people = await school();
    const { id, version } = await offerQuote(open(), people, [[await addBook(open()), 1, 5]]);
    await acceptQuote(open(), people.customer, id, version, { po });
    expect(await quoteOf(open(), id)).toMatchObject({ status: "accepted", purchase_order_number: null });
  });

  test("accepting a quote requires the same recipient as every order, and allows a purchase order number of at most 60 characters", async () => {
    const people = await school();
    const { id, version } = await offerQuote(open(), people, [[await addBook(open()), 1, 5]]);
    for (const [change, field] of [
      [{ po: "x".repeat(61) }, "purchase_order_number"],
      [{ email: "abc" }, "recipient_email"],
    ] as const)
      expect(
        (await refusalOf(acceptQuote(open(), people.customer, id, version, change))).detail,
      ).toMatchObject({ field });
  });

  test("counts towards the limits on orders", async () => {
    const people = await school();
    const book = await addBook(open(), { stock: 1000 });
    for (let n = 0; n < 20; n += 1) await order(open(), people.customer, [[book, 1]]);
    const { id, version } = await offerQuote(open(), people, [[book, 1, 5]]);
    expect((await refusalOf(acceptQuote(open(), people.customer, id, version))).detail).toMatchObject({
      code: "too_many_orders",
    });
  });

  test("is final: the quote can no longer be changed, sent, withdrawn or declined", async () => {
    const people = await school();
    const book = await addBook(open());
    const { id, version } = await offerQuote(open(), people, [[book, 1, 5]]);
    await acceptQuote(open(), people.customer, id, version);
    const attempts: [SignedIn, string][] = [
      [admin, "select public.update_quote($1, 4, '[]')"],
      [admin, "select public.send_quote($1, 4)"],
      [admin, "select public.withdraw_quote($1, 4)"],
      [people.customer, "select public.decline_quote($1)"],
    ];
    for (const [person, sql] of attempts) {
      const { detail } = await refusalOf(open().as(person, (query) => query(sql, [id])));
      expect(detail?.code).toBe(person === admin ? "quote_accepted" : "quote_not_open");
    }
  });

  test("is undone for good when its customer is forgotten; numbers and lines stay", async () => {
    const people = await school();
    const book = await addBook(open());
    const offered = await offerQuote(open(), people, [[book, 1, 5]]);
    const accepted = await offerQuote(open(), people, [[book, 2, 5]]);
    const orderId = await acceptQuote(open(), people.customer, accepted.id, accepted.version);
    const asked = await requestQuoteFor(open(), people.customer, [[book, 1]]);
    await deliverOrders(open(), people.customer);
    await open().query("select public.anonymise_customer($1)", [people.customer.id]);
    for (const [id, status] of [
      [offered.id, "withdrawn"],
      [accepted.id, "accepted"],
      [asked, "withdrawn"],
    ] as const)
      expect(await quoteOf(open(), id)).toMatchObject({
        status,
        institution: null,
        contact_name: null,
        contact_email: null,
        contact_phone: null,
      });
    expect(await quoteOf(open(), accepted.id)).toMatchObject({
      order_id: orderId,
      purchase_order_number: null,
    });
    const [left] = await open().query(
      "select count(*) as n from public.audit_log where concat(before, after) like '%teacher@school.example%' and coalesce(after, before) ->> 'user_id' = $1",
      [people.customer.id],
    );
    expect(left).toEqual({ n: 0 });
    const again = changeQuote(open(), admin, asked, [[book, 1, 5]]).then(() =>
      sendQuote(open(), admin, asked),
    );
    expect((await refusalOf(again)).detail).toEqual({ code: "quote_without_customer" });
  });
});
