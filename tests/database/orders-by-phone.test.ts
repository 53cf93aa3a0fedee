import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  fillCart,
  movementsOf,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

type Entry = {
  id?: string;
  customer?: string | null;
  books?: string[];
  quantities?: number[];
  total?: number | null;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  delivery?: object;
};

describeDatabase("An order that staff enter for a customer on the phone", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });
  beforeEach(async () => {
    book = await addBook(open(), { price: 20, stock: 10 });
  });

  const request = (entry: Entry = {}): Request => [
    admin,
    "select public.place_order_for($1, $2, $3, $4, $5, $6::jsonb) as id",
    [
      entry.id ?? randomUUID(),
      entry.customer === undefined ? customer.id : entry.customer,
      entry.books ?? [book.id],
      entry.quantities ?? [2],
      entry.total === undefined ? 40 : entry.total,
      {
        shipping_address: "5 Castle Road, Cape Coast",
        recipient_name: entry.name === undefined ? " Ama Mensah " : entry.name,
        recipient_email: entry.email === undefined ? null : entry.email,
        recipient_phone: entry.phone === undefined ? "024 412 3456" : entry.phone,
        ...entry.delivery,
      },
    ],
  ];
  const place = async (entry: Entry = {}) => String((await send(open(), request(entry)))[0]?.id);
  const stored = async (id: string) =>
    (await open().query("select * from public.orders where id = $1", [id]))[0];

  test("is a pending order at today's prices, with its lines, its copies taken, and its emails", async () => {
    const id = await place({ delivery: { region: "Central", delivery_method: "collect" } });
    expect(await stored(id)).toMatchObject({
      user_id: customer.id,
      status: "pending",
      total_amount: "40.00",
      recipient_name: "Ama Mensah",
      recipient_email: null,
      region: "Central",
      delivery_method: "collect",
      stock_held: true,
    });
    expect(
      await open().query("select title, quantity, price from public.order_items where order_id = $1", [id]),
    ).toEqual([{ title: book.title, quantity: 2, price: "20.00" }]);
    expect(await movementsOf(open(), book)).toEqual(["-2 order"]);
    const emails = await open().query(
      "select kind from public.outgoing_emails where order_id = $1 order by 1",
      [id],
    );
    expect(emails.map(({ kind }) => kind)).toEqual(["new_order", "order_placed"]);
    const [logged] = await open().query(
      "select actor from public.audit_log where table_name = 'orders' and row_id = $1 and action = 'insert'",
      [id],
    );
    expect(logged?.actor).toBe(admin.id);
  });

  test("leaves the customer's cart alone", async () => {
    await fillCart(open(), customer, [[book, 3]]);
    await place();
    expect(
      await open().query("select quantity from public.cart_items where user_id = $1", [customer.id]),
    ).toEqual([{ quantity: 3 }]);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);
  });

  test("belongs to no account when the caller has none: staff alone see it, and the caller gets the emails", async () => {
    const id = await place({ customer: null, email: "ama@home.example" });
    expect(await stored(id)).toMatchObject({ user_id: null });
    const count = (person: SignedIn, table: string, column = "order_id") =>
      open().as(person, (query) => query(`select ${column} from public.${table} where ${column} = $1`, [id]));
    const stranger = await addCustomer(open());
    expect(await count(stranger, "orders", "id")).toEqual([]);
    expect(await count(stranger, "order_items")).toEqual([]);
    expect(await count(admin, "orders", "id")).toHaveLength(1);
    expect(await count(admin, "order_items")).toHaveLength(1);
    const [listed] = await open().as(admin, (query) =>
      query("select user_id, recipient_name, recipient_email from public.admin_list_orders(_q => $1)", [id]),
    );
    expect(listed).toEqual({
      user_id: null,
      recipient_name: "Ama Mensah",
      recipient_email: "ama@home.example",
    });
    expect((await refusalOf(send(open(), [admin, "select public.order_again($1)", [id]]))).detail).toEqual({
      code: "order_not_found",
    });
    // Cancelled by staff, and not 'by its customer'.
    await send(open(), [admin, "update public.orders set status = 'cancelled' where id = $1", [id]]);
    const emails = await open().query<{ kind: string; to: string; account: string }>(
      `select kind, private.email_order(order_id) ->> 'email' as to, private.email_order(order_id) ->> 'has_account' as account
         from public.outgoing_emails where order_id = $1 order by 1`,
      [id],
    );
    expect(emails.map(({ kind }) => kind)).toEqual(["new_order", "order_cancelled", "order_placed"]);
    expect(new Set(emails.map(({ to, account }) => `${to} ${account}`))).toEqual(
      new Set(["ama@home.example false"]),
    );
  });

  test("an order of a caller without an email queues no email", async () => {
    const id = await place({ customer: null });
    await send(open(), [admin, "update public.orders set status = 'shipped' where id = $1", [id]]);
    const emails = await open().query("select kind from public.outgoing_emails where order_id = $1", [id]);
    expect(emails).toEqual([{ kind: "new_order" }]);
  });

  test("is refused if it was placed as something else before, with that order's number", async () => {
    const other = await addBook(open(), { price: 20, stock: 10 });
    const stranger = await addCustomer(open());
    const first: Entry = { id: randomUUID(), delivery: { region: "Central" } };
    const id = await place(first);
    const changes: Entry[] = [
      { books: [other.id] },
      { quantities: [3], total: 60 },
      { books: [book.id, other.id], quantities: [2, 1], total: 60 },
      { customer: stranger.id },
      { customer: null },
      { name: "Kofi Mensah" },
      { delivery: { region: "Volta" } },
      { delivery: { region: "Central", delivery_method: "collect" } },
    ];
    const { number } = (await stored(id)) ?? {};
    for (const change of changes)
      expect((await refusalOf(send(open(), request({ ...first, ...change })))).detail).toEqual({
        code: "order_exists",
        number: Number(number),
      });
    expect(await place(first)).toBe(id);
    expect(await movementsOf(open(), book)).toEqual(["-2 order"]);
  });

  test("is entered once, however often it is sent", async () => {
    const id = randomUUID();
    expect(await place({ id })).toBe(id);
    expect(await place({ id })).toBe(id);
    expect(await stockOf(open(), book)).toBe(8);
  });

  test("concurrent requests for the same phone order create it once and all return it", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = randomUUID();
      const last = await addBook(open(), { price: 20, stock: 3 });
      const sent = Array.from({ length: 5 }, () => place({ id, books: [last.id] }));
      expect(await Promise.all(sent)).toEqual(Array(5).fill(id));
      expect(await stockOf(open(), last)).toBe(1);
    }
  });

  test("costs delivery like any other order", async () => {
    await open().query("select private.set_delivery_fees('[{\"fee\": 15}]')");
    try {
      const refusal = await refusalOf(place());
      expect(refusal.detail).toEqual({ code: "total_changed", total: 55, delivery_fee: 15 });
      expect(refusal.message).toContain("GH₵55.00");
      expect(await stored(await place({ total: 55 }))).toMatchObject({ delivery_fee: "15.00" });
      expect(await stored(await place({ delivery: { delivery_method: "collect" } }))).toMatchObject({
        delivery_fee: "0.00",
      });
    } finally {
      await open().query("select private.set_delivery_fees('[]')");
    }
  });

  test("a phone order to be delivered requires a region if any delivery fee is for certain regions", async () => {
    await open().query(`select private.set_delivery_fees('[{"regions": ["Ashanti"], "fee": 15}]')`);
    try {
      for (const total of [40, 55])
        expect((await refusalOf(place({ total }))).detail).toMatchObject({
          field: "region",
          rule: "required",
        });
      expect(await stockOf(open(), book)).toBe(10);
      const id = await place({ total: 55, delivery: { region: "Ashanti" } });
      expect(await stored(id)).toMatchObject({ delivery_fee: "15.00" });
      await place({ delivery: { delivery_method: "collect" } });
    } finally {
      await open().query("select private.set_delivery_fees('[]')");
    }
  });

  test.each<[entry: Entry, detail: object]>([
    [{ name: " " }, { field: "recipient_name", rule: "required" }],
    [{ phone: null }, { field: "recipient_phone", rule: "required" }],
    [{ phone: "call me" }, { field: "recipient_phone", rule: "phone" }],
    [{ email: "ama" }, { field: "recipient_email", rule: "email" }],
    [{ quantities: [0] }, { field: "quantity", rule: "range" }],
    [{ quantities: [1000] }, { field: "quantity", rule: "range" }],
    [{ delivery: { region: "Accra" } }, { field: "region", rule: "choice" }],
    [{ books: [], quantities: [] }, { code: "invalid_rows" }],
    [{ quantities: [1, 2] }, { code: "invalid_rows" }],
    [{ books: [randomUUID()] }, { code: "book_not_found" }],
    [{ customer: randomUUID() }, { code: "customer_not_found" }],
    [{ total: 39 }, { code: "total_changed", total: 40 }],
    [{ total: null }, { code: "total_changed" }],
    [{ quantities: [11], total: 220 }, { code: "insufficient_stock" }],
  ])("is refused in words, and takes nothing: %j", async (entry, detail) => {
    expect((await refusalOf(place(entry))).detail).toMatchObject(detail);
    expect(await stockOf(open(), book)).toBe(10);
  });

  test("is refused for an account that has been closed", async () => {
    const closed = await addCustomer(open());
    await open().query("select public.anonymise_customer($1)", [closed.id]);
    expect((await refusalOf(place({ customer: closed.id }))).detail).toEqual({ code: "customer_not_found" });
  });

  test("names each book once", async () => {
    expect((await refusalOf(place({ books: [book.id, book.id], quantities: [1, 1] }))).detail).toEqual({
      code: "invalid_rows",
    });
  });

  test("two orders at the same moment share the last copies as if one came after the other", async () => {
    const responses = await expectSerial(open(), async () => {
      const last = await addBook(open(), { price: 20, stock: 3 });
      const two = (): Request => request({ books: [last.id], quantities: [2] });
      return { requests: [two(), two()], see: () => stockOf(open(), last) };
    });
    expect(responses).toEqual([
      ["done", "insufficient_stock"],
      ["insufficient_stock", "done"],
    ]);
  });
});

describeDatabase("Staff's notes about an order", (open) => {
  test("are written once, read by staff alone, stay as written, and are emptied with their customer", async () => {
    const admin = await addStaff(open(), "admin");
    const customer = await addCustomer(open());
    const note = randomUUID();
    const orderOf = async () => {
      await fillCart(open(), customer, [[await addBook(open(), { price: 20 }), 1]]);
      const [row] = await open().as(customer, (query) =>
        query(
          "insert into public.orders (user_id, total_amount, status) values ($1, 20, 'pending') returning id",
          [customer.id],
        ),
      );
      return String(row?.id);
    };
    const [remaining, deleted] = [await orderOf(), await orderOf()];
    const write = (id: string, orderId: string, body: string | null) =>
      send(open(), [admin, "select public.add_order_note($1, $2, $3)", [id, orderId, body]]);
    await write(note, remaining, "  Ama wants it on Friday.\r\nCall first. ");
    await write(note, remaining, "Ama wants it on Friday.\nCall first.");
    await write(randomUUID(), deleted, "Ama again");
    const read = (person: SignedIn) =>
      open().as(person, (query) =>
        query("select body, actor from public.order_notes where order_id = $1", [remaining]),
      );
    expect(await read(admin)).toEqual([{ body: "Ama wants it on Friday.\nCall first.", actor: admin.id }]);
    expect(await read(customer)).toEqual([]);
    expect((await refusalOf(write(randomUUID(), remaining, " "))).detail).toMatchObject({ rule: "required" });
    expect((await refusalOf(write(randomUUID(), remaining, "x".repeat(2001)))).detail).toMatchObject({
      rule: "max_length",
    });
    expect((await refusalOf(write(randomUUID(), randomUUID(), "Hello"))).detail).toEqual({
      code: "order_not_found",
    });
    await send(open(), [admin, "delete from public.orders where id = $1", [deleted]]);
    await deliverOrders(open(), customer);
    await open().query("select private.anonymise_customer($1)", [customer.id]);
    const left = await open().query("select body from public.order_notes where order_id = any ($1)", [
      [remaining, deleted],
    ]);
    expect(left).toEqual([{ body: null }, { body: null }]);
  });
});
