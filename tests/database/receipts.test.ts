import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, order, stockOf } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import {
  addSupplier,
  beginPurchase,
  changePurchase,
  purchaseOf,
  sendPurchase,
} from "#tests/support/purchases.ts";

describeOnOwnServerToo("Receiving goods", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let supplier: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    supplier = await addSupplier(open(), admin, "GBP");
  });
  type Line = { book_id: string; copies: number; damaged: number; cost?: number | null };
  type Options = {
    id?: string;
    purchase?: string;
    version?: number;
    currency?: string;
    rate?: number | null;
  };
  const bookSql = "select public.book_receipt($1, $2::jsonb, $3, $4, $5, $6) as id";
  const values = (
    lines: unknown,
    { id = randomUUID(), purchase, version, currency = "GHS", rate = 1 }: Options,
  ) => [id, JSON.stringify(lines), purchase ?? null, version ?? null, currency, rate];
  const book = (lines: unknown, options: Options = {}) =>
    open().as(admin, async (query) => {
      const [row] = await query<{ id: string }>(bookSql, values(lines, options));
      return row?.id ?? "";
    });
  const undo = (id: string) => open().as(admin, (query) => query("select public.undo_receipt($1)", [id]));
  const line = (bookId: string, copies = 5, damaged = 0): Line => ({ book_id: bookId, copies, damaged });
  const linesOf = (id: string) =>
    open().query(
      `select title, expected, copies, damaged, cost::float8 as cost, cost_cedis::float8 as cedis
         from public.receipt_lines where receipt_id = $1 order by id`,
      [id],
    );
  const movementsOf = async (bookId: string) =>
    (
      await open().query<{ line: string }>(
        "select reason || ' ' || quantity as line from public.stock_movements where book_id = $1 order by id",
        [bookId],
      )
    ).map((row) => row.line);
  /** A sent purchase order of these copies of each book at 10 pounds less 30 %, of version 3. */
  const sentOrder = async (books: { id: string }[], copies: number) => {
    const id = await beginPurchase(open(), admin, supplier);
    const lines = books.map((one) => ({ book_id: one.id, copies, list_price: 10, discount: 30 }));
    await changePurchase(open(), admin, id, lines, { version: 1 });
    await sendPurchase(open(), admin, id, 2);
    return id;
  };
  const receivedOf = async (id: string) => {
    const rows = await open().query<{ received: number }>(
      "select received from public.purchase_order_lines where purchase_order_id = $1 order by position",
      [id],
    );
    return rows.map(({ received }) => received);
  };

  test("takes copies into stock, but not damaged ones, with their cost in cedis at the rate that staff typed", async () => {
    const [maths, atlas] = [
      await addBook(open(), { title: "A", stock: 0 }),
      await addBook(open(), { title: "B", stock: 3 }),
    ];
    const id = await book([{ ...line(maths.id, 5, 2), cost: 7.35 }, line(atlas.id, 0, 1)], {
      currency: "GBP",
      rate: 14.1234567,
    });
    expect(await linesOf(id)).toEqual([
      { title: "A", expected: null, copies: 5, damaged: 2, cost: 7.35, cedis: 103.807409 },
      { title: "B", expected: null, copies: 0, damaged: 1, cost: null, cedis: null },
    ]);
    expect([await stockOf(open(), maths), await stockOf(open(), atlas)]).toEqual([5, 3]);
    expect(await movementsOf(maths.id)).toEqual(["receipt 5"]);
    const logged = await open().query(
      "select action from public.audit_log where row_id = $1 or row_id = $2::text and action = 'update'",
      [id, maths.id],
    );
    // One line of the log for the receipt; the books' movements are no changes by hand.
    expect(logged.filter(({ action }) => action === "insert")).toHaveLength(1);
  });

  test("is booked once, even if sent twice at once", async () => {
    const one = await addBook(open(), { stock: 1 });
    const id = randomUUID();
    await Promise.all([
      book([line(one.id)], { id }),
      book([line(one.id)], { id }),
      book([line(one.id)], { id }),
    ]);
    expect(await stockOf(open(), one)).toBe(6);
    const purchase = await sentOrder([one], 5);
    const against = { id: randomUUID(), purchase, version: 3, currency: "GBP", rate: 14 };
    await Promise.all([book([line(one.id)], against), book([line(one.id)], against)]);
    expect(await stockOf(open(), one)).toBe(11);
    expect(await receivedOf(purchase)).toEqual([5]);
  });

  test("sent again with other copies, books, cost or rate, is refused and changes nothing", async () => {
    const [one, other] = [await addBook(open(), { stock: 0 }), await addBook(open(), { stock: 0 })];
    const cost = { ...line(one.id, 5), cost: 2 };
    const free = { id: randomUUID(), currency: "GBP", rate: 14 };
    await book([cost], free);
    const purchase = await sentOrder([one], 5);
    const against = { id: randomUUID(), purchase, version: 3, currency: "GBP", rate: 14 };
    await book([line(one.id, 2)], against);
    await book([cost], free);
    await book([line(one.id, 2)], against);
    for (const [lines, options] of [
      [[{ ...cost, copies: 6 }], free],
      [[{ ...cost, damaged: 1 }], free],
      [[{ ...cost, cost: 3 }], free],
      [[cost, line(other.id)], free],
      [[line(other.id)], free],
      [[cost], { ...free, rate: 15 }],
      [[line(one.id, 3)], against],
      [[line(one.id, 2), line(other.id)], against],
    ] as const)
      expect((await refusalOf(book(lines, options))).detail).toMatchObject({ code: "receipt_exists" });
    expect([await stockOf(open(), one), await stockOf(open(), other)]).toEqual([7, 0]);
    expect(await receivedOf(purchase)).toEqual([2]);
  });

  test("against a purchase order records missing, surplus and unordered copies, and updates what is still to come", async () => {
    const [few, many, wrong] = [
      await addBook(open(), { title: "Few", stock: 0 }),
      await addBook(open(), { title: "Many", stock: 0 }),
      await addBook(open(), { title: "Wrong", stock: 0 }),
    ];
    const purchase = await sentOrder([few, many], 10);
    const rate = { currency: "USD", rate: 14 };
    const first = await book([line(few.id, 6, 1), line(many.id, 12), line(wrong.id, 1)], {
      purchase,
      version: 3,
      ...rate,
    });
    expect(await linesOf(first)).toEqual([
      // The purchase order's currency and cost count, whatever the client names.
      { title: "Few", expected: 10, copies: 6, damaged: 1, cost: 7, cedis: 98 },
      { title: "Many", expected: 10, copies: 12, damaged: 0, cost: 7, cedis: 98 },
      { title: "Wrong", expected: null, copies: 1, damaged: 0, cost: null, cedis: null },
    ]);
    expect(await open().query("select currency from public.receipts where id = $1", [first])).toEqual([
      { currency: "GBP" },
    ]);
    expect(await purchaseOf(open(), purchase)).toMatchObject({ status: "part_received" });
    expect(await receivedOf(purchase)).toEqual([6, 12]);
    const { version } = (await purchaseOf(open(), purchase)) as { version: number };
    for (const attempt of [
      () => changePurchase(open(), admin, purchase, [], { version }),
      () => sendPurchase(open(), admin, purchase, version),
    ])
      expect(await refusalOf(attempt())).toMatchObject({ code: "PT409" });
    const second = await book([line(few.id, 4)], { purchase, version, ...rate });
    expect(await linesOf(second)).toMatchObject([{ expected: 4, copies: 4 }]);
    expect(await purchaseOf(open(), purchase)).toMatchObject({ status: "received" });
    const late = (await purchaseOf(open(), purchase)) as { version: number };
    expect(
      (await refusalOf(book([line(few.id)], { purchase, version: late.version, ...rate }))).detail,
    ).toMatchObject({
      code: "purchase_order_not_sent",
      status: "received",
    });

    await undo(second);
    expect(await purchaseOf(open(), purchase)).toMatchObject({ status: "part_received" });
    await undo(first);
    expect(await purchaseOf(open(), purchase)).toMatchObject({ status: "sent" });
    expect(await receivedOf(purchase)).toEqual([0, 0]);
    expect([await stockOf(open(), few), await stockOf(open(), many), await stockOf(open(), wrong)]).toEqual([
      0, 0, 0,
    ]);
    expect(await movementsOf(few.id)).toEqual([
      "receipt 6",
      "receipt 4",
      "undo_receipt -4",
      "undo_receipt -6",
    ]);
    const card = await open().as(admin, (query) =>
      query(
        "select quantity, receipt_id, purchase_reference from public.list_stock_movements($1, _descending => false)",
        [few.id],
      ),
    );
    const [{ reference } = { reference: null }] = await open().query(
      "select reference from public.purchase_orders where id = $1",
      [purchase],
    );
    expect(card).toEqual([
      { quantity: 6, receipt_id: first, purchase_reference: reference },
      { quantity: 4, receipt_id: second, purchase_reference: reference },
      { quantity: -4, receipt_id: null, purchase_reference: null },
      { quantity: -6, receipt_id: null, purchase_reference: null },
    ]);
  });

  test("is not received against a draft, an outdated version or a missing purchase order", async () => {
    const one = await addBook(open(), { stock: 0 });
    const draft = await beginPurchase(open(), admin, supplier);
    const sent = await sentOrder([one], 5);
    const codeOf = async (options: Options) => (await refusalOf(book([line(one.id)], options))).detail?.code;
    expect(await codeOf({ purchase: draft, version: 1 })).toBe("purchase_order_not_sent");
    expect(await codeOf({ purchase: sent, version: 2, rate: 14 })).toBe("purchase_order_changed");
    expect(await codeOf({ purchase: sent, rate: 14 })).toBe("purchase_order_changed");
    expect(await codeOf({ purchase: randomUUID(), version: 1 })).toBe("purchase_order_not_found");
    expect(await stockOf(open(), one)).toBe(0);
  });

  test.each<[name: string, lines: (id: string) => unknown, options: Options]>([
    ["no lines", () => [], {}],
    ["null", () => null, {}],
    ["no copies at all", (id) => [line(id, 0, 0)], {}],
    ["a negative number", (id) => [line(id, -1, 2)], {}],
    ["half a copy", (id) => [line(id, 1.5)], {}],
    ["100,000 copies", (id) => [line(id, 100_000)], {}],
    ["a negative cost", (id) => [{ ...line(id), cost: -1 }], {}],
    ["a cost as text", (id) => [{ ...line(id), cost: "1" }], {}],
    ["a book twice", (id) => [line(id), line(id.toUpperCase())], {}],
    ["1,001 lines", () => Array.from({ length: 1001 }, () => line(randomUUID())), {}],
    ["a missing book among others", (id) => [line(id), line(randomUUID())], {}],
    ["a rate for cedis", (id) => [line(id)], { rate: 2 }],
    ["no rate", (id) => [line(id)], { currency: "GBP", rate: null }],
    ["a rate of 0", (id) => [line(id)], { currency: "GBP", rate: 0 }],
    ["another currency", (id) => [line(id)], { currency: "XXX", rate: 2 }],
  ])("refuses %s and changes nothing", async (_, lines, options) => {
    const one = await addBook(open(), { stock: 2 });
    const refusal = await refusalOf(book(lines(one.id), options));
    expect(["invalid_lines", "invalid_field", "book_not_found"]).toContain(refusal.detail?.code);
    expect(await stockOf(open(), one)).toBe(2);
    expect(await open().query("select from public.receipt_lines where book_id = $1", [one.id])).toEqual([]);
  });

  test("is undone once, unless a customer has ordered of it since or the copies are gone", async () => {
    const [kept, sold] = [await addBook(open(), { stock: 4 }), await addBook(open(), { stock: 4 })];
    const free = await book([line(kept.id)]);
    await undo(free);
    await undo(free);
    expect(await stockOf(open(), kept)).toBe(4);

    const blocked = await book([line(kept.id), line(sold.id)]);
    const placed = await order(open(), customer, [[sold, 1]]);
    await open().as(customer, (query) =>
      query("update public.orders set status = 'cancelled' where id = $1", [placed]),
    );
    expect((await refusalOf(undo(blocked))).detail).toMatchObject({
      code: "receipt_sold",
      lines: [{ book_id: sold.id }],
    });
    expect([await stockOf(open(), kept), await stockOf(open(), sold)]).toEqual([9, 9]);

    const gone = await book([line(kept.id, 3)]);
    await open().as(admin, (query) =>
      query("select public.change_stock($1, $2, -11, 'lost')", [randomUUID(), kept.id]),
    );
    expect((await refusalOf(undo(gone))).detail).toMatchObject({ code: "insufficient_stock" });
    expect((await refusalOf(undo(randomUUID()))).detail).toMatchObject({ code: "receipt_not_found" });
  });

  test("is undone for a book that was deleted since, whose stock is archived", async () => {
    const one = await addBook(open(), { stock: 4 });
    const id = await book([line(one.id)]);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [one.id]));
    await undo(id);
    expect(
      await open().query("select stock_quantity as n from private.gone_books where id = $1", [one.id]),
    ).toEqual([{ n: 4 }]);
  });

  test("emails customers who wait for a sold-out book, once there are copies to sell", async () => {
    const one = await addBook(open(), { stock: 0 });
    await open().as(customer, (query) => query("select public.request_stock_alert($1)", [one.id]));
    const emails = async () =>
      (await open().query("select from public.outgoing_emails where kind like '%stock%'")).length;
    const before = await emails();
    await book([line(one.id, 0, 1)]);
    expect(await emails()).toBe(before);
    await book([line(one.id, 2)]);
    expect(await emails()).toBe(before + 1);
  });

  test("beside orders, stock stays equal to the first stock plus all movements", async () => {
    const books = await Promise.all(Array.from({ length: 3 }, () => addBook(open(), { stock: 5 })));
    const buyers = await Promise.all(Array.from({ length: 6 }, () => addCustomer(open())));
    const ignoreRefusal = (error: { detail?: string }) => {
      if (!/insufficient_stock|receipt_sold/.test(error.detail ?? "")) throw error;
    };
    await Promise.all([
      ...Array.from({ length: 10 }, async (_, n) => {
        const mixed = n % 2 ? books : books.toReversed();
        const id = await book(mixed.map((one) => line(one.id, 2)));
        if (n % 3 === 0) await undo(id).catch(ignoreRefusal);
      }),
      ...buyers.map((buyer) =>
        order(
          open(),
          buyer,
          books.map((one) => [one, 2]),
        ).catch(ignoreRefusal),
      ),
    ]);
    const sums = await open().query(
      `select b.stock_quantity = 5 + coalesce((select sum(m.quantity) from public.stock_movements m where m.book_id = b.id), 0) as exact,
              b.stock_quantity >= 0 as enough
         from public.books b where b.id = any ($1::uuid[])`,
      [books.map(({ id }) => id)],
    );
    expect(sums).toEqual(Array(3).fill({ exact: true, enough: true }));
  });

  test.each<
    [
      name: string,
      other: (world: { one: { id: string }; purchase: string; receipt: string }) => Request,
      answers: string[][],
    ]
  >([
    [
      "another admin's booking of the same delivery",
      ({ one, purchase }) => [admin, bookSql, values([line(one.id)], { purchase, version: 3, rate: 14 })],
      [
        ["done", "purchase_order_changed"],
        ["purchase_order_changed", "done"],
      ],
    ],
    [
      "cancelling the purchase order",
      ({ purchase }) => [admin, "select public.cancel_purchase_order($1, 3)", [purchase]],
      [
        ["done", "purchase_order_changed"],
        ["purchase_order_changed", "done"],
      ],
    ],
  ])("beside %s gives the result of sequential requests", async (_, other, answers) => {
    const found = await expectSerial(open(), async () => {
      const one = await addBook(open(), { stock: 1 });
      const purchase = await sentOrder([one], 5);
      const world = { one, purchase, receipt: randomUUID() };
      return {
        requests: [
          [admin, bookSql, values([line(one.id)], { id: world.receipt, purchase, version: 3, rate: 14 })],
          other(world),
        ],
        see: async () => ({
          stock: await stockOf(open(), one),
          received: await receivedOf(purchase),
          status: (await purchaseOf(open(), purchase)).status,
        }),
      };
    });
    expect(found).toEqual(answers);
  });

  test("undone as a customer orders is either undone first or refused", async () => {
    const found = await expectSerial(open(), async () => {
      const buyer = await addCustomer(open());
      const one = await addBook(open(), { price: 10, stock: 2 });
      await open().query("insert into public.cart_items (user_id, book_id, quantity) values ($1, $2, 2)", [
        buyer.id,
        one.id,
      ]);
      const receipt = await book([line(one.id)]);
      return {
        requests: [
          [admin, "select public.undo_receipt($1)", [receipt]],
          [
            buyer,
            "insert into public.orders (user_id, total_amount, status) values ($1, 20, 'pending') returning id",
            [buyer.id],
          ],
        ],
        see: async () => ({ stock: await stockOf(open(), one) }),
      };
    });
    expect(found).toEqual([
      ["done", "done"],
      ["receipt_sold", "done"],
    ]);
  });

  const [receipts, lines] = [inGateOrLong(20, 100), inGateOrLong(100, 300)];
  test(`${receipts} receipts of ${lines} lines, some undone, beside as many orders leave each book what came minus what went`, {
    tags: "long",
  }, async () => {
    const books = await open().query<{ id: string }>(
      `insert into public.books (title, price, stock_quantity) select 'Heap ' || n, 10, 5 from generate_series(1, $1::int) as n returning id`,
      [lines * 2],
    );
    const buyers = await Promise.all(Array.from({ length: receipts }, () => addCustomer(open())));
    const of = (n: number) => ({
      ...(books[n % books.length] as { id: string }),
      title: "",
      price: 10,
      stock: 5,
    });
    const refused: string[] = [];
    const attempt = (work: Promise<unknown>) =>
      work.catch(async () => refused.push(String(((await refusalOf(work)).detail as { code: string }).code)));
    /** Staff would click again if others lock the books for too long. */
    const insist = async (work: () => Promise<unknown>): Promise<void> => {
      const before = refused.length;
      await attempt(work());
      if (refused.length > before && refused.includes("books_busy", before)) await insist(work);
    };
    const staff = Array.from({ length: 10 }, async (_, person) => {
      for (let n = person; n < receipts; n += 10) {
        const id = randomUUID();
        const came = Array.from({ length: lines }, (_, k) => ({ ...line(of(n * 7 + k).id, 3), cost: n + 1 }));
        await insist(() => book(came, { id }));
        if (n % 3 === 0) await attempt(undo(id));
      }
    });
    const orders = buyers.map((buyer, n) =>
      attempt(
        order(open(), buyer, [
          [of(n * 3), 2],
          [of(n * 5 + 1), 1],
        ]),
      ),
    );
    await Promise.all([...staff, ...orders]);
    const known = ["receipt_sold", "insufficient_stock", "books_busy"];
    expect(refused.filter((code) => !known.includes(code))).toEqual([]);
    const wrong = await open().query(
      `select b.title from public.books b
        where b.title like 'Heap %' and b.stock_quantity <> 5
          + coalesce((select sum(l.copies) from public.receipt_lines l join public.receipts r on r.id = l.receipt_id
                       where l.book_id = b.id and r.undone_at is null), 0)
          - coalesce((select sum(i.quantity) from public.order_items i where i.book_id = b.id), 0)`,
    );
    expect(wrong).toEqual([]);
    const [moved] = await open().query<{ n: number }>(
      "select count(*)::int as n from public.stock_movements m join public.books b on b.id = m.book_id where b.title like 'Heap %' and m.reason = 'receipt'",
    );
    expect(moved?.n).toBe(receipts * lines);
    expect(await open().query("select * from private.wrong_sales()")).toEqual([]);
  });
});
