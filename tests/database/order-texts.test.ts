import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { orderTextLimits } from "#shared/orders/order-fields.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  fillCart,
  placeOrder,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { acceptQuote, offerQuote } from "#tests/support/quotes.ts";

describeDatabase("What people type into an order", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  let texts: { name: string; at_most: number | null }[];
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    book = await addBook(open(), { price: 20, stock: 1000 });
    texts = await open().query("select name, at_most from private.order_texts()");
  });

  /** A text of its own in every column. */
  const typed = (word: string) => ({
    ...Object.fromEntries(texts.map(({ name }) => [name, `${word} ${name.replaceAll("_", " ")}`])),
    recipient_email: `${word.toLowerCase()}@home.example`,
    recipient_phone: "+233 24 400 0077",
    digital_address: "GA-183-8164",
    delivery_method: "bus_station",
    region: "Volta",
  });
  const place = async (word: string, others: object = {}, person = customer) => {
    await fillCart(open(), person, [[book, 1]]);
    try {
      return await placeOrder(open(), person, { total: 20, ...typed(word), ...others });
    } finally {
      await open().query("delete from public.cart_items where user_id = $1", [person.id]);
    }
  };
  const orderOf = async (id: unknown) =>
    (await open().query("select * from public.orders where id = $1", [id]))[0];
  const find = async (q: string) =>
    (await open().as(admin, (query) => query("select id from public.admin_list_orders(_q => $1)", [q]))).map(
      ({ id }) => id,
    );

  test("is every text column of an order except its choices and what staff type when they ship it", async () => {
    const columns = await open().query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = 'public.orders'::regclass and atttypid = 'text'::regtype and attnum > 0 and attgenerated = ''`,
    );
    const choices = ["status", "region", "delivery_method"];
    const shipment = await open().query<{ name: string }>("select name from private.shipment_texts()");
    const others = [...choices, ...shipment.map(({ name }) => name)];
    const names = columns.map(({ name }) => name).filter((name) => !others.includes(name));
    expect(texts.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test("has the limits that the forms have, in the table too", async () => {
    const limits = texts.flatMap(({ name, at_most }) => (at_most === null ? [] : [[name, at_most]]));
    expect(Object.fromEntries(limits)).toEqual(orderTextLimits);
    const { id } = await place("Longest");
    for (const [name, limit] of limits) {
      const set = (length: number) =>
        open().query(`update public.orders set ${name} = $1 where id = $2`, ["a".repeat(Number(length)), id]);
      await set(Number(limit));
      await expect(set(Number(limit) + 1), String(name)).rejects.toThrow("check constraint");
    }
  });

  test("is stored cleaned, and refused when it is too long", async () => {
    expect(await place("Clean", { customer_reference: " PO\t17 " })).toMatchObject({
      ...typed("Clean"),
      customer_reference: "PO 17",
    });
    for (const { name, at_most } of texts)
      if (at_most !== null)
        expect((await refusalOf(place("Long", { [name]: "x".repeat(at_most + 1) }))).detail).toMatchObject({
          field: name,
          rule: "max_length",
          limit: at_most,
        });
  });

  test("is optional where it is a reference", async () => {
    for (const empty of [null, "", "  "])
      expect(await place("Empty", { customer_reference: empty })).toMatchObject({ customer_reference: null });
  });

  test("comes with an order by phone, and a retry with another text is refused", async () => {
    const id = randomUUID();
    const enter = (word: string) =>
      open().as(admin, (query) =>
        query("select public.place_order_for($1, $2, array[$3::uuid], array[1], 20, $4::jsonb)", [
          id,
          customer.id,
          book.id,
          typed(word),
        ]),
      );
    await enter("Phone");
    await enter("Phone");
    expect(await orderOf(id)).toMatchObject(typed("Phone"));
    expect((await refusalOf(enter("Other"))).detail).toMatchObject({ code: "order_exists" });
  });

  test("has a quote's purchase order number as its reference", async () => {
    const person = await addCustomer(open());
    const quote = await offerQuote(open(), { customer: person, admin }, [[book, 2, 15]]);
    const id = await acceptQuote(open(), person, quote.id, quote.version, { po: " LPO 2026/11 " });
    expect(await orderOf(id)).toMatchObject({ customer_reference: "LPO 2026/11" });
  });

  test("is what staff find an order by, where it is a reference", async () => {
    const { id } = await place("Found", { customer_reference: "Wesley Girls/PO-4711" });
    for (const q of ["wesley girls/po-4711", "PO-4711", "Girls po 4711"])
      expect(await find(q), q).toEqual([id]);
    expect(await find("PO-4712")).toEqual([]);
  });

  test("is in the data of its emails", async () => {
    const { id } = await place("Mail");
    const [row] = await open().query("select private.email_order($1) as data", [id]);
    expect(row?.data).toMatchObject(typed("Mail"));
  });

  test("is in the data that the customer takes along", async () => {
    const person = await addCustomer(open());
    await place("Mine", {}, person);
    const rows = await open().as(person, (query) => query("select public.own_data() -> 'orders' as orders"));
    expect(rows).toMatchObject([{ orders: [typed("Mine")] }]);
  });

  test("comes back with a restored order", async () => {
    const { id } = await place("Back");
    await open().as(admin, async (query) => {
      await query("delete from public.orders where id = $1", [id]);
      await query("select public.restore_order($1)", [id]);
    });
    expect(await orderOf(id)).toMatchObject(typed("Back"));
  });

  test("is forgotten with the customer, in the order, in a deleted one and in the log", async () => {
    const person = await addCustomer(open());
    const staying = await place("Secret", {}, person);
    const deleted = await place("Secret", {}, person);
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [deleted.id]));
    await deliverOrders(open(), person);
    await open().query("select private.anonymise_customer($1)", [person.id]);
    expect(await orderOf(staying.id)).toMatchObject(
      Object.fromEntries(texts.map(({ name }) => [name, null])),
    );
    expect(
      await open().query(
        "select action from public.audit_log where row_id = any ($1) and concat(before, after) ~* 'secret|400 0077|183-8164'",
        [[staying.id, deleted.id]],
      ),
    ).toEqual([]);
  });
});
