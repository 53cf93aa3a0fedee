import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
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
import { describeDatabase } from "#tests/support/describe-database.ts";
import { payOnline } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { acceptQuote, offerQuote } from "#tests/support/quotes.ts";

describeDatabase("An open order", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let atlas: TestBook;
  let maths: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    atlas = await addBook(open(), { price: 12.35, stock: 10 });
    maths = await addBook(open(), { price: 20, stock: 10 });
  });

  const stateOf = async (id: string) =>
    (
      await open().query(
        `select o.status, o.total_amount::float8 as total, o.delivery_fee::float8 as fee, o.payment_state,
                (select array_agg(i.title || ' ' || i.quantity || ' ' || i.price::float8 order by i.title) from public.order_items i
                  where i.order_id = o.id) as lines
           from public.orders o where o.id = $1`,
        [id],
      )
    )[0];
  const versionOf = async (id: string) =>
    String(
      (
        await open().query("select to_json(updated_at) #>> '{}' as at from public.orders where id = $1", [id])
      )[0]?.at,
    );
  const request = (id: string, at: string, lines: [TestBook, number][], total: number): Request => [
    admin,
    "select public.change_order($1, $2, $3, $4, $5)",
    [id, at, lines.map(([{ id: book }]) => book), lines.map(([, quantity]) => quantity), total],
  ];
  const change = async (id: string, lines: [TestBook, number][], total: number) =>
    send(open(), request(id, await versionOf(id), lines, total));
  const lastChange = async (id: string) =>
    (
      await open().query<{ id: string }>(
        "select id::text from public.audit_log where row_id = $1 and action = 'change' order by audit_log.id desc limit 1",
        [id],
      )
    )[0]?.id;
  const undo = async (id: string) =>
    send(open(), [admin, "select public.undo_order_change($1)", [await lastChange(id)]]);
  const emailsOf = async (id: string) =>
    (
      await open().query(
        "select state from public.outgoing_emails where order_id = $1 and kind = 'order_changed'",
        [id],
      )
    ).map(({ state }) => state);

  test("can lose, change and gain lines, which updates stock, total and log and sends one email", async () => {
    const ruler = await addBook(open(), { price: 3.5, stock: 4 });
    const id = await order(open(), customer, [
      [atlas, 2],
      [maths, 1],
    ]);
    // Ordered books keep their price, although they cost more now.
    await open().query("update public.books set price = 99 where id = $1", [atlas.id]);
    await change(
      id,
      [
        [atlas, 5],
        [ruler, 4],
      ],
      5 * 12.35 + 4 * 3.5,
    );
    expect(await stateOf(id)).toEqual({
      status: "pending",
      total: 75.75,
      fee: 0,
      payment_state: "due",
      lines: expect.arrayContaining([`${atlas.title} 5 12.35`, `${ruler.title} 4 3.5`]),
    });
    expect([
      await stockOf(open(), atlas),
      await stockOf(open(), maths),
      await stockOf(open(), ruler),
    ]).toEqual([5, 10, 0]);
    expect(await movementsOf(open(), atlas)).toEqual(["-2 order", "-3 change"]);
    expect(await movementsOf(open(), maths)).toEqual(["-1 order", "1 change"]);
    const log = await open().query<{ table_name: string; action: string; actor: string }>(
      `select table_name, action, actor from public.audit_log
        where (row_id = $1 or coalesce(before, after) ->> 'order_id' = $1) and action <> 'insert'`,
      [id],
    );
    expect(log).toEqual([{ table_name: "orders", action: "change", actor: admin.id }]);
    expect(await emailsOf(id)).toEqual(["waiting"]);
    await change(id, [[atlas, 5]], 61.75);
    expect(await emailsOf(id), "a waiting email states the order as it is when sent").toEqual(["waiting"]);
    await open().query(
      "update public.outgoing_emails set state = 'sent', settled_at = now() where order_id = $1",
      [id],
    );
    await change(id, [[atlas, 4]], 49.4);
    expect(await emailsOf(id)).toEqual(["sent", "waiting"]);
    expect(await open().query("select * from private.wrong_sales()")).toEqual([]);
  });

  test("is changed once, even if the request is repeated", async () => {
    const id = await order(open(), customer, [[atlas, 2]]);
    const twice = request(id, await versionOf(id), [[atlas, 3]], 37.05);
    await Promise.all([send(open(), twice), send(open(), twice)]);
    await send(open(), twice);
    expect(await movementsOf(open(), atlas)).toEqual(["-2 order", "-1 change"]);
    expect(await emailsOf(id)).toHaveLength(1);
  });

  test("is unchanged if a title has too few copies or is no longer sold, or if the total differs", async () => {
    const id = await order(open(), customer, [[atlas, 2]]);
    const before = await stateOf(id);
    const rare = await addBook(open(), { price: 1, stock: 1 });
    const refused = (lines: [TestBook, number][], total: number) => refusalOf(change(id, lines, total));
    expect(
      await refused(
        [
          [atlas, 1],
          [rare, 2],
        ],
        14.35,
      ),
    ).toMatchObject({
      code: "PT409",
      detail: { code: "insufficient_stock", lines: [{ title: rare.title, left: 1 }] },
    });
    expect(await refused([[atlas, 3]], 24.7)).toMatchObject({
      detail: { code: "total_changed", total: 37.05 },
    });
    await open().query("delete from public.books where id = $1", [rare.id]);
    expect(await refused([[rare, 1]], 1)).toMatchObject({ detail: { code: "book_not_found" } });
    expect(await refused([], 0)).toMatchObject({ detail: { code: "invalid_rows" } });
    expect(
      await refused(
        [
          [atlas, 1],
          [atlas, 1],
        ],
        24.7,
      ),
    ).toMatchObject({ detail: { code: "invalid_rows" } });
    for (const quantity of [0, -1, 10_000])
      expect(await refused([[atlas, quantity]], 0)).toMatchObject({ detail: { code: "invalid_field" } });
    expect(await stateOf(id)).toEqual(before);
    expect(await stockOf(open(), atlas)).toBe(8);
    expect(await emailsOf(id)).toEqual([]);
  });

  test.each(["shipped", "delivered", "cancelled"])("that has become %s is not changed", async (status) => {
    const id = await order(open(), customer, [[atlas, 2]]);
    await send(open(), [admin, "update public.orders set status = $2 where id = $1", [id, status]]);
    expect(await refusalOf(change(id, [[atlas, 1]], 12.35))).toMatchObject({
      detail: { code: "order_not_open" },
      message: `Only pending and processing orders can be changed. This one is ${status}.`,
    });
  });

  test("that another admin has changed since it was opened is not changed", async () => {
    const id = await order(open(), customer, [[atlas, 2]]);
    const seen = await versionOf(id);
    await change(id, [[atlas, 3]], 37.05);
    expect(await refusalOf(send(open(), request(id, seen, [[atlas, 1]], 12.35)))).toMatchObject({
      detail: { code: "order_changed" },
    });
    expect(
      await refusalOf(send(open(), request(crypto.randomUUID(), seen, [[atlas, 1]], 12.35))),
    ).toMatchObject({
      detail: { code: "order_not_found" },
    });
  });

  test("that its customer cancels at the same moment is changed before that or not at all", async () => {
    await expectSerial(open(), async () => {
      const buyer = await addCustomer(open());
      const book = await addBook(open(), { price: 10, stock: 10 });
      const id = await order(open(), buyer, [[book, 2]]);
      return {
        requests: [
          request(id, await versionOf(id), [[book, 5]], 50),
          [buyer, "update public.orders set status = 'cancelled' where id = $1 returning id", [id]],
        ],
        see: async () => [(await stateOf(id))?.status, await stockOf(open(), book)],
      };
    });
  });

  test("pays the delivery fee of its new total, unless a quote's prices include it", async () => {
    const fees = [{ below: 50, fee: 20 }];
    onTestFinished(async () => {
      await open().query("select private.set_delivery_fees('[]')");
    });
    await open().query("select private.set_delivery_fees($1::jsonb)", [fees]);
    await fillCart(open(), customer, [[atlas, 2]]);
    const { id } = await placeOrder(open(), customer, { total: 44.7, delivery_fee: 20 });
    await change(id, [[atlas, 5]], 61.75);
    expect(await stateOf(id)).toMatchObject({ total: 61.75, fee: 0 });
    await undo(id);
    expect(await stateOf(id)).toMatchObject({ total: 44.7, fee: 20 });
    // The fees now need a region, which the order lacks: its fee stays.
    await open().query("select private.set_delivery_fees($1::jsonb)", [[{ regions: ["Volta"], fee: 9 }]]);
    await change(id, [[atlas, 1]], 32.35);
    expect(await stateOf(id)).toMatchObject({ total: 32.35, fee: 20 });

    await open().query("select private.set_delivery_fees($1::jsonb)", [fees]);
    const included = { method: "deliver", pricing: "included" };
    const quote = await offerQuote(open(), { admin, customer }, [[atlas, 2, 11]], included);
    const accepted = await acceptQuote(open(), customer, quote.id, quote.version);
    await change(accepted, [[atlas, 1]], 11);
    expect(await stateOf(accepted)).toMatchObject({ total: 11, fee: 0 });
  });

  test("that was paid in full shows what is overpaid, or due after it grows again", async () => {
    const id = await order(open(), customer, [[atlas, 2]]);
    await payOnline(open(), id, 24.7);
    expect(await stateOf(id)).toMatchObject({ payment_state: "paid" });
    await change(id, [[atlas, 1]], 12.35);
    expect(await stateOf(id)).toMatchObject({ payment_state: "too_much" });
    await change(id, [[atlas, 3]], 37.05);
    expect(await stateOf(id)).toMatchObject({ payment_state: "part_paid" });
    expect(await open().query("select * from private.wrong_sales()")).toEqual([]);
  });

  test("is restored by an undo, even if a removed book was deleted; only the latest change can be undone", async () => {
    const id = await order(open(), customer, [
      [atlas, 2],
      [maths, 1],
    ]);
    const before = await stateOf(id);
    await change(id, [[atlas, 2]], 24.7);
    const first = await lastChange(id);
    await change(id, [[atlas, 4]], 49.4);
    expect(
      await refusalOf(send(open(), [admin, "select public.undo_order_change($1)", [first]])),
    ).toMatchObject({ detail: { code: "not_last_change" } });
    await undo(id);
    await open().query("update public.books set price = 99 where id = $1", [maths.id]);
    await send(open(), [admin, "delete from public.books where id = $1", [maths.id]]);
    await send(open(), [admin, "select public.undo_order_change($1)", [first]]);
    await send(open(), [admin, "select public.undo_order_change($1)", [first]]);
    expect(await stateOf(id)).toEqual(before);
    expect(await stockOf(open(), atlas)).toBe(8);
    expect(
      await open().query("select stock_quantity from private.gone_books where id = $1", [maths.id]),
    ).toEqual([{ stock_quantity: 9 }]);
    await send(open(), [admin, "update public.orders set status = 'shipped' where id = $1", [id]]);
    expect(await refusalOf(undo(id))).toMatchObject({ detail: { code: "order_not_open" } });
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    expect(await refusalOf(undo(id))).toMatchObject({ detail: { code: "order_not_found" } });
  });

  test("with a line without a book is not changed, because the line and its copies would be lost", async () => {
    const id = await order(open(), customer, [
      [atlas, 2],
      [maths, 1],
    ]);
    await open().query(
      "update public.order_items set book_id = null, sold_book_id = null where order_id = $1 and book_id = $2",
      [id, maths.id],
    );
    const before = await stateOf(id);
    expect(await refusalOf(change(id, [[atlas, 1]], 12.35))).toMatchObject({
      code: "PT409",
      detail: { code: "line_without_book" },
    });
    expect(await stateOf(id)).toEqual(before);
  });

  test("that is cancelled before the email about its change is sent gets only the email about the cancellation", async () => {
    const id = await order(open(), customer, [[atlas, 2]]);
    await change(id, [[atlas, 1]], 12.35);
    await send(open(), [customer, "update public.orders set status = 'cancelled' where id = $1", [id]]);
    const told = await open().query<{ kind: string }>(
      `select e.kind from public.outgoing_emails e
        where e.order_id = $1 and private.email_audience(e.kind) = 'customer' and not private.has_nothing_to_say(e)
        order by e.created_at`,
      [id],
    );
    expect(told.map(({ kind }) => kind)).toEqual(["order_placed", "order_cancelled"]);
  });

  test("that was changed and deleted is restored with its latest lines", async () => {
    const id = await order(open(), customer, [
      [atlas, 2],
      [maths, 1],
    ]);
    await change(id, [[atlas, 3]], 37.05);
    const changed = await stateOf(id);
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    expect([await stockOf(open(), atlas), await stockOf(open(), maths)]).toEqual([10, 10]);
    await send(open(), [admin, "select public.restore_order($1)", [id]]);
    expect(await stateOf(id)).toEqual(changed);
    expect([await stockOf(open(), atlas), await stockOf(open(), maths)]).toEqual([7, 10]);
  });

  test("of ten titles is changed while 40 customers order the same books, and no copy is lost", {
    tags: "long",
  }, async () => {
    const books = await Promise.all(
      Array.from({ length: 20 }, () => addBook(open(), { price: 1, stock: 100 })),
    );
    const id = await order(
      open(),
      customer,
      books.slice(0, 10).map((book): [TestBook, number] => [book, 2]),
    );
    const buyers = await Promise.all(Array.from({ length: 40 }, () => addCustomer(open())));
    await Promise.all([
      ...buyers.map((buyer, n) =>
        order(open(), buyer, [
          [books[n % 20] as TestBook, 1],
          [books[(n + 7) % 20] as TestBook, 2],
        ]),
      ),
      (async () => {
        for (let round = 0; round < 10; round += 1)
          await change(
            id,
            books.slice(round, round + 10).map((book): [TestBook, number] => [book, round + 1]),
            10 * (round + 1),
          );
      })(),
    ]);
    const wrong = await open().query(
      `select b.id from public.books b
        where b.id = any ($1) and b.stock_quantity <> 100 - (
          select coalesce(sum(i.quantity), 0) from public.order_items i where i.book_id = b.id)
           or b.id = any ($1) and b.stock_quantity <> 100 + (
          select coalesce(sum(m.quantity), 0) from public.stock_movements m where m.book_id = b.id)`,
      [books.map((book) => book.id)],
    );
    expect(wrong).toEqual([]);
  });
});
