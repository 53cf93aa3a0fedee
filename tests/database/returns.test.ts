import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  movementsOf,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { addCodeTitle } from "#tests/support/digital.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

/** Of a line: its title, copies, and what is not the default. */
type Returned = [
  book: TestBook,
  copies: number,
  more?: { resalable?: boolean; refund?: number; left?: number },
];

describeDatabase("Returned copies", (open) => {
  let admin: SignedIn;
  let other: SignedIn;
  let customer: SignedIn;
  let atlas: TestBook;
  let maths: TestBook;
  /** A shipped order of 10 atlases at GH₵20 and 4 maths at GH₵12.50: GH₵250. */
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    other = await addStaff(open(), "admin");
  });
  const newOrder = async () => {
    customer = await addCustomer(open());
    atlas = await addBook(open(), { title: "Atlas", price: 20, stock: 30 });
    maths = await addBook(open(), { title: "Maths", price: 12.5, stock: 30 });
    id = await order(open(), customer, [
      [atlas, 10],
      [maths, 4],
    ]);
    await setStatus("shipped");
    return id;
  };
  beforeEach(newOrder);

  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const setStatus = (status: string) =>
    call("update public.orders set status = $2 where id = $1", id, status);
  const request = async (
    person: SignedIn,
    lines: Returned[],
    { key = randomUUID() as string, reason = "damaged" } = {},
  ): Promise<Request> => {
    const items = await open().query("select id, sold_book_id from public.order_items where order_id = $1", [
      id,
    ]);
    const itemOf = (book: TestBook) => items.find((item) => item.sold_book_id === book.id)?.id;
    return [
      person,
      "select public.return_copies($1, $2, $3, $4, ' By phone ')",
      [
        key,
        id,
        lines.map(([book, copies, more]) => ({ order_item_id: itemOf(book), copies, ...more })),
        reason,
      ],
    ];
  };
  const giveBack = async (lines: Returned[], key: string = randomUUID()) => {
    await send(open(), await request(admin, lines, { key }));
    return key;
  };
  const undo = (key: string, person = admin): Request => [person, "select public.undo_return($1)", [key]];
  const pay = (kind: string, amount: number) =>
    call(
      "select public.record_payment(gen_random_uuid(), $1, $2, 'cash', $3, '2026-11-01', null, null, true)",
      id,
      kind,
      amount,
    );
  /** "paid due owed_back returned state", as the customer reads it. */
  const money = async () => {
    const [row] = await open().as(customer, (query) =>
      query(
        `select concat_ws(' ', paid::float, due::float, owed_back::float, returned::float, state) as seen
           from public.list_order_payments(array[$1]::uuid[])`,
        [id],
      ),
    );
    return row?.seen;
  };
  const stocks = async () => [await stockOf(open(), atlas), await stockOf(open(), maths)];
  const isHeld = async () =>
    (await open().query("select stock_held from public.orders where id = $1", [id]))[0]?.stock_held;
  const change = async (lines: [TestBook, number][], total: number) =>
    call(
      "select public.change_order($1, (select updated_at from public.orders where id = $1), $2, $3, $4)",
      id,
      lines.map(([book]) => book.id),
      lines.map(([, copies]) => copies),
      total,
    );

  /** Stock and what orders still have out of it: no copy is doubled or lost, except those written off. */
  const recount = async () => {
    const rows = await open().query(
      `select b.title, b.stock_quantity
              + case when o.stock_held then i.quantity - private.copies_returned(i.id) else 0 end
              - coalesce(sum(m.quantity) filter (where m.reason = 'damaged'), 0) as copies
         from public.orders o join public.order_items i on i.order_id = o.id join public.books b on b.id = i.sold_book_id
         left join public.stock_movements m on m.order_id = o.id and m.book_id = b.id
        where o.id = $1 group by o.id, i.id, b.id order by b.title`,
      [id],
    );
    return rows.map(({ copies }) => Number(copies));
  };

  test("go back to stock and are refunded by line, the rest later, and are in log and history", async () => {
    await pay("payment", 250);
    expect(await stocks()).toEqual([20, 26]);
    await giveBack([
      [atlas, 3],
      [maths, 1, { refund: 5.5 }],
    ]);
    expect(await stocks()).toEqual([23, 27]);
    expect([await money(), await isHeld()]).toEqual(["250 0 65.5 65.5 too_much", true]);
    const [listed] = await call(
      "select count(*)::int as n from public.admin_list_orders(_payment => 'to_refund') where id = $1",
      id,
    );
    expect(listed?.n).toBe(1);
    await pay("refund", 65.5);
    expect(await money()).toBe("184.5 0 0 65.5 paid");

    const tooMany = await refusalOf(giveBack([[atlas, 8]]));
    expect(tooMany).toMatchObject({
      message: "Atlas: only 7 can still be returned.",
      detail: { code: "more_than_ordered", title: "Atlas", most: 7 },
    });
    await giveBack([
      [atlas, 7],
      [maths, 3],
    ]);
    expect([await stocks(), await isHeld()]).toEqual([[30, 30], false]);
    expect((await refusalOf(giveBack([[atlas, 1]]))).detail).toEqual({ code: "nothing_to_return" });
    expect(await movementsOf(open(), atlas)).toEqual(["-10 order", "3 return", "7 return"]);

    const logged = await open().query(
      "select action, actor, after from public.audit_log where row_id = $1 and action = 'return' order by id limit 1",
      [id],
    );
    expect(logged).toMatchObject([
      {
        actor: admin.id,
        after: {
          reason: "damaged",
          note: "By phone",
          refund: 65.5,
          lines: [
            { title: "Atlas", quantity: 3, resalable: true },
            { title: "Maths", quantity: 1, resalable: true },
          ],
        },
      },
    ]);
    const steps = await open().as(customer, (query) =>
      query("select step from public.order_timeline($1)", [id]),
    );
    expect(steps.filter(({ step }) => step === "returned")).toHaveLength(2);
  });

  test("that can't be sold again are written off, with both movements on the stock card", async () => {
    const key = await giveBack([[atlas, 2, { resalable: false }]]);
    expect(await stocks()).toEqual([20, 26]);
    expect(await movementsOf(open(), atlas)).toEqual(["-10 order", "2 return", "-2 damaged"]);
    await send(open(), undo(key));
    expect(await stocks()).toEqual([20, 26]);
    expect((await movementsOf(open(), atlas)).slice(3)).toEqual(["2 damaged", "-2 undo_return"]);
    expect(await recount()).toEqual([30, 30]);
  });

  test("come back in one return where some copies of a title can be sold again and others can't", async () => {
    const lines: Returned[] = [
      [atlas, 2, { refund: 40 }],
      [atlas, 1, { resalable: false, refund: 5 }],
    ];
    expect(await refusalOf(giveBack([...lines, [atlas, 1]]))).toMatchObject({
      detail: { code: "invalid_rows" },
    });
    expect(
      await refusalOf(
        giveBack([
          [atlas, 8],
          [atlas, 3, { resalable: false }],
        ]),
      ),
    ).toMatchObject({
      detail: { code: "more_than_ordered", most: 10 },
    });
    const key = await giveBack(lines);
    await giveBack(lines, key);
    expect(
      await refusalOf(
        giveBack(
          [
            [atlas, 1, { refund: 40 }],
            [atlas, 2, { resalable: false, refund: 5 }],
          ],
          key,
        ),
      ),
    ).toMatchObject({ detail: { code: "return_exists" } });
    expect(await stocks()).toEqual([22, 26]);
    expect(await movementsOf(open(), atlas)).toEqual(["-10 order", "2 return", "1 return", "-1 damaged"]);
    expect(await money()).toBe("0 205 0 45 due");
    await send(open(), undo(key));
    expect(await stocks()).toEqual([20, 26]);
    expect(await recount()).toEqual([30, 30]);
  });

  test("of a title by code can all be sold again, whatever was said of some", async () => {
    const code = await addCodeTitle(open(), admin, 4, { price: 10 });
    id = await order(open(), customer, [[code, 3]]);
    await setStatus("shipped");
    const lines: Returned[] = [
      [code, 1],
      [code, 1, { resalable: false }],
    ];
    const key = await giveBack(lines);
    await giveBack(lines, key);
    expect(await stockOf(open(), code)).toBe(3);
    expect(await money()).toBe("0 10 0 20 due");
  });

  test("reduce what is due for an order that isn't paid", async () => {
    await giveBack([[atlas, 3]]);
    expect(await money()).toBe("0 190 0 60 due");
    await pay("payment", 190);
    expect(await money()).toBe("190 0 0 60 paid");
    expect(await open().query("select * from private.wrong_sales()")).toEqual([]);
  });

  test("undoes a return once, and refuses when too few copies are in stock", async () => {
    await pay("payment", 250);
    const key = await giveBack([[atlas, 10]]);
    await call("update public.books set stock_quantity = 4 where id = $1", atlas.id);
    expect(await refusalOf(send(open(), undo(key)))).toMatchObject({
      code: "PT409",
      detail: { code: "insufficient_stock", lines: [{ title: "Atlas", requested: 10, left: 4 }] },
    });
    expect(await money()).toBe("250 0 200 200 too_much");
    await call("update public.books set stock_quantity = 12 where id = $1", atlas.id);
    for (let clicks = 0; clicks < 2; clicks += 1) await send(open(), undo(key));
    expect([await stocks(), await money(), await isHeld()]).toEqual([[2, 26], "250 0 0 0 paid", true]);
    const [undone] = await call("select undone_by from public.order_returns where id = $1", key);
    expect(undone).toEqual({ undone_by: admin.id });
    const actions = await open().query(
      "select action from public.audit_log where row_id = $1 and action like '%return' order by id",
      [id],
    );
    expect(actions.map(({ action }) => action)).toEqual(["return", "undo_return"]);
  });

  test("count once when the same request comes twice, and never more than were sold", async () => {
    const see = async () => [await stocks(), await money()];
    const twice = async () => {
      await newOrder();
      const again = await request(admin, [[atlas, 3]], { key: randomUUID() });
      return { requests: [again, again] as [Request, Request], see };
    };
    expect(await expectSerial(open(), twice)).toEqual([
      ["done", "done"],
      ["done", "done"],
    ]);
    const last = async () => {
      await newOrder();
      return {
        requests: [await request(admin, [[atlas, 10]]), await request(other, [[atlas, 10]])] as [
          Request,
          Request,
        ],
        see,
      };
    };
    expect(await expectSerial(open(), last)).toEqual([
      ["done", "more_than_ordered"],
      ["more_than_ordered", "done"],
    ]);
    const undone = async () => {
      await newOrder();
      const returned = await giveBack([[atlas, 10]], randomUUID());
      return { requests: [undo(returned), undo(returned, other)] as [Request, Request], see };
    };
    expect(await expectSerial(open(), undone)).toEqual([
      ["done", "done"],
      ["done", "done"],
    ]);
  });

  test("stay returned when the order is set back, cancelled and reopened", async () => {
    const key = await giveBack([
      [atlas, 3],
      [maths, 1, { resalable: false }],
    ]);
    await setStatus("processing");
    expect((await refusalOf(giveBack([[atlas, 1]]))).detail).toEqual({ code: "order_not_sent" });
    await setStatus("cancelled");
    expect([await stocks(), await recount()]).toEqual([
      [30, 29],
      [30, 30],
    ]);
    // Reopening would take these copies a second time.
    expect((await refusalOf(send(open(), undo(key)))).detail).toEqual({ code: "order_cancelled" });
    await setStatus("processing");
    expect([await stocks(), await recount(), await money()]).toEqual([
      [23, 26],
      [30, 30],
      "0 177.5 0 72.5 due",
    ]);
    await send(open(), undo(key));
    expect([await stocks(), await recount()]).toEqual([
      [20, 26],
      [30, 30],
    ]);
    await setStatus("cancelled");
    expect(await stocks()).toEqual([30, 30]);
  });

  test("are taken again when an order is reopened that was cancelled when they came back", async () => {
    await pay("payment", 250);
    await giveBack([[atlas, 2]]);
    await setStatus("cancelled");
    await giveBack([
      [atlas, 5],
      [maths, 4, { resalable: false }],
    ]);
    // All of the money is owed back anyway.
    expect([await money(), await stocks()]).toEqual(["250 0 250 40 too_much", [27, 26]]);
    await setStatus("processing");
    // The four that were written off are taken anew.
    expect([await money(), await stocks(), await recount()]).toEqual([
      "250 0 40 40 too_much",
      [22, 22],
      [30, 30],
    ]);
    await setStatus("cancelled");
    expect([await stocks(), await recount()]).toEqual([
      [30, 26],
      [30, 30],
    ]);
  });

  test("are all taken again when nothing else of a reopened order would be left to send", async () => {
    await giveBack([
      [atlas, 10],
      [maths, 4],
    ]);
    await setStatus("cancelled");
    await setStatus("pending");
    expect([await stocks(), await recount(), await money()]).toEqual([[20, 26], [30, 30], "0 250 0 0 due"]);
  });

  test("keep their order from being deleted until they are undone", async () => {
    const key = await giveBack([[atlas, 3]]);
    const remove = () => call("delete from public.orders where id = $1", id);
    expect((await refusalOf(remove())).detail).toEqual({ code: "order_has_returns" });
    await send(open(), undo(key));
    await setStatus("processing");
    await remove();
    expect(await stocks()).toEqual([30, 30]);
    await call("select public.restore_order($1)", id);
    expect([await stocks(), await money()]).toEqual([[20, 26], "0 250 0 0 due"]);
  });

  test("can't be taken out of their order, which can get more copies", async () => {
    await giveBack([
      [atlas, 10],
      [maths, 4],
    ]);
    await setStatus("processing");
    const fewer = change(
      [
        [atlas, 9],
        [maths, 4],
      ],
      230,
    );
    expect((await refusalOf(fewer)).detail).toEqual({ code: "copies_returned" });
    await change(
      [
        [atlas, 12],
        [maths, 4],
      ],
      290,
    );
    expect([await stocks(), await isHeld(), await money()]).toEqual([[28, 30], true, "0 40 0 250 due"]);
    await setStatus("cancelled");
    expect(await stocks()).toEqual([30, 30]);
  });

  test("of a title that was deleted since are there when it is restored", async () => {
    await call("delete from public.books where id = $1", atlas.id);
    await giveBack([[atlas, 3]]);
    const [gone] = await open().query(
      "select id from public.audit_log where action = 'delete' and row_id = $1",
      [atlas.id],
    );
    await call("select public.restore_book($1)", gone?.id);
    expect(await stocks()).toEqual([23, 26]);
  });

  test("return_to_stock returns what is left of the whole order, and refunds nothing", async () => {
    await pay("payment", 250);
    await giveBack([[atlas, 3]]);
    await call("select public.return_to_stock($1)", id);
    expect([await stocks(), await money()]).toEqual([[30, 30], "250 0 60 60 too_much"]);
    expect(
      await call(
        "select reason, copies, refund::float from public.order_returns r join public.order_return_lines l on l.return_id = r.id where r.order_id = $1 and reason = 'other' order by copies",
        id,
      ),
    ).toEqual([
      { reason: "other", copies: 4, refund: 0 },
      { reason: "other", copies: 7, refund: 0 },
    ]);
  });

  test("never come from files, nor from licence codes that were given", async () => {
    const file = await addBook(open(), { title: "A file", price: 9, stock: 5 });
    await open().query("update public.books set kind = 'digital', digital_by = 'file' where id = $1", [
      file.id,
    ]);
    await open().query(
      `insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, kind)
       values ($1, $2, $2, 1, 9, 'A file', 'digital')`,
      [id, file.id],
    );
    expect(await refusalOf(giveBack([[file, 1]]))).toMatchObject({
      message: "No copies of A file can be returned any more.",
    });
    await giveBack([
      [atlas, 10],
      [maths, 4],
    ]);
    expect(await isHeld()).toBe(false);
  });

  test("refuses a request that was edited after it was stored or undone, and one from before another return", async () => {
    const refused = async (lines: Returned[], key?: string) =>
      (await refusalOf(send(open(), await request(other, lines, { key })))).detail;
    const key = await giveBack([[atlas, 2, { left: 10 }]]);
    expect(await refused([[atlas, 1]], key)).toEqual({ code: "return_exists" });
    expect(await refused([[atlas, 2, { refund: 5 }]], key)).toEqual({ code: "return_exists" });
    expect(await refused([[maths, 2]], key)).toEqual({ code: "return_exists" });
    expect(await refused([[atlas, 2, { left: 10 }]])).toEqual({ code: "return_outdated" });
    await send(open(), undo(key));
    expect(await refused([[atlas, 2]], key)).toEqual({ code: "return_exists" });
    expect(await stocks()).toEqual([20, 26]);
  });

  test("are refused with a refund above their price, an unknown reason, or twice in one request", async () => {
    const refused = async (lines: Returned[], reason = "damaged") =>
      (await refusalOf(send(open(), await request(admin, lines, { reason })))).detail;
    expect(await refused([[atlas, 2, { refund: 40.01 }]])).toMatchObject({ field: "refund", max: 40 });
    expect(await refused([[atlas, 2, { refund: 0.001 }]])).toMatchObject({ field: "refund" });
    expect(await refused([[atlas, 2]], "lost")).toMatchObject({ field: "reason" });
    expect(await refused([[atlas, 0]])).toMatchObject({ field: "copies" });
    expect(
      await refused([
        [atlas, 2],
        [atlas, 2],
      ]),
    ).toMatchObject({ code: "invalid_rows" });
    expect(await stocks()).toEqual([20, 26]);
  });

  test("are the back office's matter: customers can neither return nor undo nor read them", async () => {
    const key = await giveBack([[atlas, 3]]);
    for (const attempt of [await request(customer, [[atlas, 1]]), undo(key, customer)])
      expect((await refusalOf(send(open(), attempt))).detail).toMatchObject({ code: "duty_missing" });
    for (const table of ["order_returns", "order_return_lines"])
      expect(await open().as(customer, (query) => query(`select * from public.${table}`))).toEqual([]);
  });
});
