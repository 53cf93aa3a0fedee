import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  deliverOrders,
  fillCart,
  order,
  placeOrder,
  sendStatusEmailsAtOnce,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey } from "#tests/support/people.ts";

describeDatabase("The shop's emails", (open) => {
  /** Of the current test. */
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    await sendStatusEmailsAtOnce(open());
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
  });

  const newOrder = async (copies = 1, stock = 100) =>
    order(open(), customer, [[await addBook(open(), { stock }), copies]]);
  const setStatus = (person: SignedIn, id: string, status: string) =>
    open().as(person, (query) => query("update public.orders set status = $2 where id = $1", [id, status]));
  /** The emails of an order, oldest first, as "kind status". */
  const emailsOf = async (id: string) => {
    const rows = await open().query(
      "select concat_ws(' ', kind, status) as name from public.outgoing_emails where order_id = $1 order by created_at, kind",
      [id],
    );
    return rows.map(({ name }) => name);
  };
  const call = (sql: string, ...parameters: unknown[]) =>
    open().as(secretKey, (query) => query(`select ${sql} as result`, parameters));
  /** Nothing else waits, so that the next claim is the test's own. */
  const settleAll = () =>
    open().query(
      "update public.outgoing_emails set state = 'sent', settled_at = now() where state = 'waiting'",
    );
  type Stock = { count: number; books: { title: string; left: number }[] };
  type Claimed = Row & { id: string; lease: string; stock: Stock | null };
  const claim = async () => (await call("public.claim_email()"))[0]?.result as Claimed | null;
  const find = async (id: string | undefined) =>
    (await open().query("select * from public.outgoing_emails where id = $1", [id]))[0] as Row;
  const makeDue = (id: string) =>
    open().query("update public.outgoing_emails set due_at = now() where id = $1", [id]);

  test("a placed order has one for its customer and one for the owner, and a repeated insert no third", async () => {
    const id = randomUUID();
    const book = await addBook(open(), { price: 20 });
    await fillCart(open(), customer, [[book, 1]]);
    await placeOrder(open(), customer, { id, total: 20 });
    await fillCart(open(), customer, [[book, 1]]);
    expect((await refusalOf(placeOrder(open(), customer, { id, total: 20 }))).code).toBe("23505");
    expect((await emailsOf(id)).sort()).toEqual(["new_order", "order_placed"]);
  });

  test("a refused order has none, and a transaction that is rolled back takes its own along", async () => {
    const book = await addBook(open(), { price: 20 });
    const id = randomUUID();
    await fillCart(open(), customer, [[book, 1]]);
    await refusalOf(placeOrder(open(), customer, { id, total: 19 }));
    expect(await emailsOf(id)).toEqual([]);
    await open().query("delete from public.cart_items where user_id = $1", [customer.id]);

    const placed = await newOrder();
    await expect(
      open().as(admin, async (query) => {
        await query("update public.orders set status = 'shipped' where id = $1", [placed]);
        throw new Error("the connection was lost");
      }),
    ).rejects.toThrow("the connection was lost");
    expect(await emailsOf(placed)).not.toContain("order_status_changed shipped");
  });

  test("every change of status has one; a customer's cancellation also one for the owner", async () => {
    const [byStaff, byCustomer] = [await newOrder(), await newOrder()];
    for (const status of ["processing", "shipped", "shipped", "cancelled"])
      await setStatus(admin, byStaff, status);
    expect((await emailsOf(byStaff)).slice(2)).toEqual([
      "order_status_changed processing",
      "order_status_changed shipped",
      "order_cancelled cancelled",
    ]);
    await setStatus(customer, byCustomer, "cancelled");
    await setStatus(customer, byCustomer, "cancelled");
    expect((await emailsOf(byCustomer)).slice(2)).toEqual([
      "order_cancelled cancelled",
      "order_cancelled_by_customer cancelled",
    ]);
  });

  test("an order that the database's owner writes, as a backup or the demo does, has none", async () => {
    const [row] = await open().query(
      "insert into public.orders (user_id, total_amount) values ($1, 5) returning id",
      [customer.id],
    );
    expect(await emailsOf(String(row?.id))).toEqual([]);
  });

  test("an order that is placed again after its deletion, or restored, has no second ones", async () => {
    const id = await newOrder();
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [id]));
    await open().as(admin, (query) => query("select public.restore_order($1)", [id]));
    expect(await emailsOf(id)).toHaveLength(2);
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [id]));
    await fillCart(open(), customer, [[await addBook(open(), { price: 20 }), 1]]);
    await placeOrder(open(), customer, { id, total: 20 });
    expect(await emailsOf(id)).toHaveLength(2);
  });

  test("a claim hands out what the text needs, and leases the email to one worker", async () => {
    await settleAll();
    const book = await addBook(open(), { title: "Integrated Science", publisher: "Adwene", price: 20.5 });
    await fillCart(open(), customer, [[book, 3]]);
    const { id } = await placeOrder(open(), customer, {
      total: 61.5,
      recipient_name: "The library",
      recipient_email: "library@school.example",
      shipping_address: "5 Castle Road, Cape Coast",
    });
    const claimed = [await claim(), await claim(), await claim(), await claim()];
    expect(claimed.map((email) => email?.kind).sort()).toEqual([
      "new_order",
      "order_placed",
      "recipient_order_placed",
      undefined,
    ]);
    expect(claimed.find((email) => email?.kind === "order_placed")).toMatchObject({
      audience: "customer",
      order: {
        id,
        total: 61.5,
        name: "The library",
        email: `${customer.id}@shop.test`,
        recipient_email: "library@school.example",
        shipping_address: "5 Castle Road, Cape Coast",
        lines: [{ title: "Integrated Science", publisher: "Adwene", quantity: 3, price: 20.5 }],
      },
    });
  });

  test("a claim of an order's email reads the order and nothing that only other emails say", async () => {
    await settleAll();
    await newOrder();
    const { email, called } = await open().transaction(async (query) => {
      await query("set local track_functions = 'all'");
      const [row] = await query("select public.claim_email() as email");
      const functions = await query("select funcname::text as name from pg_stat_xact_user_functions");
      return { email: row?.email, called: functions.map(({ name }) => name) };
    });
    expect(email).toMatchObject({
      kind: "order_placed",
      quote: null,
      role: null,
      shipment: null,
      stock: null,
    });
    expect(called).toContain("email_order");
    const topics = await open().query(
      `select proname::text as name from pg_proc
        where proname ~ '^email_' and proname not in ('email_content', 'email_event', 'email_problem')
          and (proargtypes[0] = 'public.outgoing_emails'::regtype or proname = 'email_stock')`,
    );
    expect(topics).toHaveLength(10);
    expect(topics.filter(({ name }) => called.includes(name))).toEqual([]);
  });

  test("every kind of email has a topic that a claim can read", async () => {
    const kinds = await open().query(
      "select kind, private.email_topic(kind) as topic from jsonb_object_keys(private.email_kinds()) as kind",
    );
    expect(kinds.length).toBeGreaterThan(30);
    for (const { kind } of kinds)
      await open().query(
        "select private.email_content(jsonb_populate_record(null::public.outgoing_emails, jsonb_build_object('kind', $1::text)))",
        [kind],
      );
  });

  test("twenty claims at once hand out twenty emails", async () => {
    await settleAll();
    for (let n = 0; n < 10; n += 1) await newOrder();
    const claimed = await Promise.all(Array.from({ length: 20 }, claim));
    expect(new Set(claimed.map((email) => email?.id)).size).toBe(20);
    expect(await claim()).toBeNull();
  });

  test("an email whose lease has ended is handed out again, and the first worker's failure no longer counts", async () => {
    await settleAll();
    await newOrder();
    const first = await claim();
    if (!first) throw new Error("Nothing was handed out");
    await makeDue(first.id);
    const claimed = [await claim(), await claim()];
    const second = claimed.find((email) => email?.id === first.id);
    expect(second?.lease).not.toBe(first.lease);
    await call("public.record_failed_email($1, $2, 'No answer', true)", first.id, first.lease);
    expect(await find(first.id)).toMatchObject({ state: "waiting", attempts: 2, lease: second?.lease });
    await call("public.record_sent_email($1)", first.id);
    await call("public.record_failed_email($1, $2, 'No answer', true)", first.id, second?.lease);
    expect(await find(first.id)).toMatchObject({ state: "sent", reason: null });
    await makeDue(first.id);
    expect(await claim()).toBeNull();
  });

  test("the pauses between tries grow, and after a day it is given up with the last reason", async () => {
    await settleAll();
    await setStatus(admin, await newOrder(), "shipped");
    const waiting = async () => {
      const email = await claim();
      if (email?.kind === "order_status_changed") return email;
      await call("public.record_sent_email($1)", email?.id);
      return waiting();
    };
    let email = (await waiting()) as Claimed;
    const pauses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      await call("public.record_failed_email($1, $2, $3)", email.id, email.lease, " No\nanswer ");
      const [row] = await open().query(
        "select extract(epoch from due_at - clock_timestamp())::float8 as seconds, reason, state from public.outgoing_emails where id = $1",
        [email.id],
      );
      expect(row).toMatchObject({ reason: "No answer", state: "waiting" });
      // A busy machine reads the pause a little late.
      pauses.push([5, 30, 120, 600, 1800].find((pause) => Number(row?.seconds) <= pause) ?? Number.NaN);
      expect(await claim()).toBeNull();
      await makeDue(email.id);
      email = (await claim()) as Claimed;
    }
    expect(pauses).toEqual([5, 30, 120, 600, 1800, 1800]);
    await open().query(
      "update public.outgoing_emails set created_at = now() - interval '1 day' where id = $1",
      [email.id],
    );
    await call("public.record_failed_email($1, $2, $3)", email.id, email.lease, "No answer");
    expect(await find(email.id)).toMatchObject({
      state: "given_up",
      reason: "It could not be sent within a day. No answer",
    });
  });

  test("hands out first what a mail server at fault did not take", async () => {
    await settleAll();
    const emails = [await newOrder(), await newOrder()];
    const first = await claim();
    if (!first) throw new Error("Nothing was handed out");
    await call("public.record_failed_email($1, $2, 'No answer', false, true)", first.id, first.lease);
    expect(await find(first.id)).toMatchObject({ state: "waiting", lease: null, reason: "No answer" });
    const claimed = [];
    for (let email = await claim(); email; email = await claim()) claimed.push(email.id);
    expect(claimed).toHaveLength(2 * emails.length);
    expect(claimed[0]).toBe(first.id);
  });

  // Not 0 afterwards: the mail server may have accepted it before the connection broke.
  test.each([
    [0, 1],
    [7, 7],
  ])(
    "faults of the mail server cost a day-old email that was tried %i times no try, and never give it up",
    async (before, after) => {
      await settleAll();
      await newOrder();
      const [row] = await open().query(
        `update public.outgoing_emails
          set created_at = now() - interval '25 hours', due_at = now() - interval '25 hours', attempts = $1
        where state = 'waiting' and kind = 'order_placed' returning id`,
        [before],
      );
      for (let n = 0; n < 6; n += 1) {
        const email = await claim();
        expect(email?.id).toBe(row?.id);
        await call("public.record_failed_email($1, $2, 'No answer', false, true)", email?.id, email?.lease);
      }
      expect(await find(String(row?.id))).toMatchObject({ state: "waiting", attempts: after, lease: null });
    },
  );

  test("an email that was claimed and not tried goes back to its place, as if it had not been claimed", async () => {
    await settleAll();
    await newOrder();
    const first = await claim();
    if (!first) throw new Error("Nothing was handed out");
    await call("public.return_email($1, $2)", first.id, randomUUID());
    expect(await find(first.id)).toMatchObject({ attempts: 1, lease: first.lease });
    await call("public.return_email($1, $2)", first.id, first.lease);
    expect(await find(first.id)).toMatchObject({ state: "waiting", attempts: 0, lease: null, reason: null });
    const second = await claim();
    expect(second?.id).toBe(first.id);
    await call("public.record_failed_email($1, $2, 'No answer', false, true)", first.id, second?.lease);
    const third = await claim();
    await call("public.return_email($1, $2)", first.id, third?.lease);
    expect(await find(first.id)).toMatchObject({ state: "waiting", attempts: 1, lease: null });
    await call("public.record_sent_email($1)", first.id);
    await call("public.return_email($1, $2)", first.id, third?.lease);
    expect(await find(first.id)).toMatchObject({ state: "sent" });
  });

  test("nothing is sent about a deleted order, or without an address", async () => {
    await settleAll();
    const nobody = await addCustomer(open());
    const id = await order(open(), nobody, [[await addBook(open()), 1]]);
    await open().query("update public.profiles set email = null where id = $1", [nobody.id]);
    expect((await claim())?.kind).toBe("new_order");
    expect(await claim()).toBeNull();
    const deleted = await newOrder();
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [deleted]));
    expect(await claim()).toBeNull();
    const reasons = await open().query(
      "select distinct reason from public.outgoing_emails where order_id = any ($1) and state = 'given_up' order by 1",
      [[id, deleted]],
    );
    expect(reasons.map(({ reason }) => reason)).toEqual([
      "The order has no email address.",
      "The order was deleted.",
    ]);
  });

  test("staff send one again as a new row that names the first, one at a time", async () => {
    await settleAll();
    const id = await newOrder();
    const resend = (email: unknown) =>
      open().as(
        admin,
        async (query) => (await query("select public.resend_email($1) as id", [email]))[0]?.id,
      );
    const [first] = await open().query(
      "select id from public.outgoing_emails where order_id = $1 and kind = 'order_placed'",
      [id],
    );
    expect((await refusalOf(resend(first?.id))).detail).toMatchObject({ code: "email_waiting" });
    await settleAll();
    const attempts = await Promise.allSettled([resend(first?.id), resend(first?.id), resend(first?.id)]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    const second = (await claim())?.id;
    expect(await find(second)).toMatchObject({ kind: "order_placed", order_id: id, resend_of: first?.id });
    await settleAll();
    const third = await resend(second);
    expect(await find(String(third))).toMatchObject({ resend_of: first?.id });
    expect((await refusalOf(resend(randomUUID()))).detail).toMatchObject({ code: "email_not_found" });
    await settleAll();
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [id]));
    expect((await refusalOf(resend(first?.id))).detail).toMatchObject({ code: "order_not_found" });
  });

  test("staff see those given up until they have been sent again or a week has passed", async () => {
    await settleAll();
    const id = await newOrder();
    const listed = async () => {
      const rows = await open().as(admin, (query) =>
        query("select kind, reason, order_id from public.admin_list_unsent_emails() where order_id = $1", [
          id,
        ]),
      );
      return rows.map(({ kind }) => kind);
    };
    for (let email = await claim(); email; email = await claim())
      await call("public.record_failed_email($1, $2, $3, true)", email.id, email.lease, "No such mailbox");
    expect((await listed()).sort()).toEqual(["new_order", "order_placed"]);
    await open().as(admin, (query) =>
      query(
        "select public.resend_email(id) from public.outgoing_emails where order_id = $1 and kind = 'order_placed'",
        [id],
      ),
    );
    expect((await listed()).sort()).toEqual(["new_order", "order_placed"]);
    await settleAll();
    expect(await listed()).toEqual(["new_order"]);
    await open().query(
      "update public.outgoing_emails set settled_at = now() - interval '8 days' where order_id = $1 and state = 'given_up'",
      [id],
    );
    expect(await listed()).toEqual([]);
  });

  test("forgetting a customer takes their waiting emails along, and no row names anyone", async () => {
    const person = await addCustomer(open());
    const id = await order(open(), person, [[await addBook(open()), 1]]);
    await open().query(
      "update public.outgoing_emails set state = 'sent', settled_at = now() where order_id = $1 and kind = 'new_order'",
      [id],
    );
    await deliverOrders(open(), person);
    await call("public.anonymise_customer($1)", person.id);
    expect(await emailsOf(id)).toEqual(["new_order"]);
  });

  test("low stock is reported once a day from seven, when a book has fallen to it since the last time", async () => {
    await settleAll();
    await open().query(
      "insert into public.outgoing_emails (kind, event, state, settled_at) values ('low_stock', '2029-12-31', 'sent', now())",
    );
    const check = async (now: string) => {
      await open().query("select private.queue_low_stock_email($1)", [now]);
      const rows = await open().query(
        "select event from public.outgoing_emails where kind = 'low_stock' and event > '2030' order by 1",
      );
      return rows.map(({ event }) => event);
    };
    const sell = async (stock: number, copies: number) =>
      order(open(), customer, [[await addBook(open(), { title: `Left ${stock - copies}`, stock }), copies]]);
    await addBook(open(), { stock: 3 });
    await sell(11, 1);
    await sell(9, 1);
    expect(await check("2030-01-01T12:00:00Z")).toEqual([]);
    await sell(10, 1);
    expect(await check("2030-01-01T06:59:00Z")).toEqual([]);
    expect(await check("2030-01-01T07:00:00Z")).toEqual(["2030-01-01"]);
    await sell(12, 8);
    expect(await check("2030-01-01T23:59:00Z")).toEqual(["2030-01-01"]);
    expect(await check("2030-01-02T07:00:00Z")).toEqual(["2030-01-01", "2030-01-02"]);
    expect(await check("2030-01-03T07:00:00Z")).toEqual(["2030-01-01", "2030-01-02"]);

    const claimed = [];
    for (let email = await claim(); email; email = await claim()) claimed.push(email);
    const [low] = claimed.filter(({ kind }) => kind === "low_stock");
    const books = low?.stock?.books ?? [];
    expect(low?.stock?.count).toBe(books.length);
    expect(books).toContainEqual(expect.objectContaining({ title: "Left 4", left: 4 }));
    expect(books.every(({ left }) => left < 10)).toBe(true);
  });

  test("low stock that has been filled up in between is not reported", async () => {
    await settleAll();
    await order(open(), customer, [[await addBook(open(), { stock: 10 }), 1]]);
    await open().query("select private.queue_low_stock_email('2031-01-01T12:00:00Z')");
    await open().query("update public.books set stock_quantity = 50 where stock_quantity < 10");
    const claimed = [];
    for (let email = await claim(); email; email = await claim()) claimed.push(email.kind);
    expect(claimed).not.toContain("low_stock");
    const left = await open().query("select from public.outgoing_emails where event = '2031-01-01'");
    expect(left).toEqual([]);
  });
});
