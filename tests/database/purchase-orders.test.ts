import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { hundredthsOf, lineAmount } from "#app/office/stock/purchases/purchase.ts";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import { addBook, addStaff, stockOf } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, visitor } from "#tests/support/people.ts";
import {
  addSupplier,
  beginPurchase,
  changePurchase,
  purchaseOf,
  sendPurchase,
} from "#tests/support/purchases.ts";

describeOnOwnServerToo("Purchase orders", (open) => {
  let admin: SignedIn;
  let supplier: string;
  let book: { id: string };
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    supplier = await addSupplier(open(), admin, "GBP");
    book = await addBook(open(), { title: "Maths", stock: 4 });
  });
  const year = new Date().getUTCFullYear();
  const line = (change = {}) => ({ book_id: book.id, copies: 3, list_price: 9.99, discount: 30, ...change });
  const begin = () => beginPurchase(open(), admin, supplier);
  const change = (id: string, lines: unknown, version: number) =>
    changePurchase(open(), admin, id, lines, { version });
  const send = (id: string, version: number) => sendPurchase(open(), admin, id, version);
  const cancel = (id: string, version: number) =>
    open().as(admin, (query) => query("select public.cancel_purchase_order($1, $2)", [id, version]));
  const filled = async () => {
    const id = await begin();
    await change(id, [line()], 1);
    return id;
  };
  const numbers = async () =>
    (
      await open().query<{ number: number }>(
        "select number from public.purchase_orders where year = $1 order by number",
        [year],
      )
    ).map(({ number }) => number);

  test("tell customers that copies are still to come only if a setting lets them, while they are sent and incomplete", async () => {
    const wanted = await addBook(open(), { stock: 0 });
    const isOnItsWay = async () => {
      const [row] = await open().as(visitor, (query) =>
        query<{ coming: boolean }>("select public.is_on_its_way($1) as coming", [wanted.id]),
      );
      return row?.coming;
    };
    const id = await begin();
    await change(id, [line({ book_id: wanted.id })], 1);
    const allow = (value: boolean) =>
      open().query(
        `insert into public.shop_settings (id, value) values ('moreOnTheWay', to_jsonb($1::bool))
         on conflict (id) do update set value = excluded.value`,
        [value],
      );
    await allow(true);
    expect(await isOnItsWay()).toBe(false);
    await send(id, 2);
    expect(await isOnItsWay()).toBe(true);
    await allow(false);
    expect(await isOnItsWay()).toBe(false);
    await allow(true);
    const receive = (copies: number) =>
      open().as(admin, (query) =>
        query(
          "select public.book_receipt(_id => $1, _purchase_order_id => $2, _version => (select version from public.purchase_orders where id = $2), _lines => $3::jsonb, _rate => 15)",
          [randomUUID(), id, JSON.stringify([{ book_id: wanted.id, copies, damaged: 0, cost: 1 }])],
        ),
      );
    await receive(2);
    expect(await isOnItsWay()).toBe(true);
    await receive(1);
    expect(await isOnItsWay()).toBe(false);
  });

  test("are created once however often the request is sent, and keep the supplier's currency", async () => {
    const own = await addSupplier(open(), admin, "USD");
    const id = randomUUID();
    for (let time = 0; time < 2; time += 1) await beginPurchase(open(), admin, own, id);
    await open().as(admin, (query) =>
      query(
        `select public.save_supplier(_id => $1, _name => name, _currency => 'EUR', _updated_at => updated_at)
           from public.suppliers where id = $1`,
        [own],
      ),
    );
    expect(await purchaseOf(open(), id)).toMatchObject({ currency: "USD", status: "draft", version: 1 });
  });

  test("go from draft to sent, back to draft with the same number when changed, and to cancelled and back", async () => {
    const id = await begin();
    expect((await refusalOf(send(id, 1))).detail).toMatchObject({ code: "purchase_order_empty" });
    expect(await change(id, [line()], 1)).toBe(2);
    const reference = await send(id, 2);
    expect(reference).toMatch(new RegExp(`^PO${year}-\\d{4,}$`));
    expect(await purchaseOf(open(), id)).toMatchObject({ status: "sent", version: 3, is_sent: true });
    expect((await refusalOf(send(id, 3))).detail).toMatchObject({
      code: "purchase_order_not_draft",
      status: "sent",
    });
    expect(await change(id, [line({ copies: 4 })], 3)).toBe(4);
    expect(await purchaseOf(open(), id)).toMatchObject({ status: "draft", reference, is_sent: false });
    expect(await send(id, 4)).toBe(reference);
    await cancel(id, 5);
    expect((await refusalOf(cancel(id, 6))).detail).toMatchObject({ code: "purchase_order_closed" });
    expect((await refusalOf(send(id, 6))).detail).toMatchObject({ status: "cancelled" });
    expect(await change(id, [line()], 6)).toBe(7);
    expect(await purchaseOf(open(), id)).toMatchObject({ status: "draft", reference });
    expect(await stockOf(open(), book)).toBe(4);
  });

  test("are changed, sent and cancelled only as the version that staff saw", async () => {
    const id = await filled();
    for (const version of [1, 3, null] as number[])
      for (const step of [
        () => change(id, [line()], version),
        () => send(id, version),
        () => cancel(id, version),
      ])
        expect(await refusalOf(step())).toMatchObject({
          code: "PT409",
          detail: { code: "purchase_order_changed", version: 2 },
        });
    expect((await refusalOf(send(randomUUID(), 1))).detail).toMatchObject({
      code: "purchase_order_not_found",
    });
  });

  test("keep a line's title when its book is renamed or deleted, and refuse a new line of a deleted book", async () => {
    const gone = await addBook(open(), { title: "Reading" });
    const id = await begin();
    await change(id, [line({ book_id: gone.id }), line()], 1);
    await open().as(admin, (query) => query("delete from public.books where id = $1", [gone.id]));
    await change(id, [line(), line({ book_id: gone.id, copies: 9 })], 2);
    const [found] = await open().as(admin, (query) =>
      query<{ lines: { title: string; copies: number; stock: number | null }[] }>(
        "select lines from public.admin_find_purchase_order($1)",
        [id],
      ),
    );
    expect(found?.lines).toMatchObject([
      { title: "Maths", copies: 3, stock: 4 },
      { title: "Reading", copies: 9, stock: null },
    ]);
    const other = await begin();
    const refusal = await refusalOf(change(other, [line(), line({ book_id: gone.id })], 1));
    expect(refusal).toMatchObject({ code: "PT404", detail: { code: "book_not_found", book_id: gone.id } });
    expect(await purchaseOf(open(), other)).toMatchObject({ version: 1 });
  });

  test("are refused as a whole for lines that are not books, copies, prices and discounts", async () => {
    const id = await filled();
    const bad: unknown[] = [
      null,
      {},
      "x",
      [null],
      [[]],
      [{}],
      [line({ book_id: "x" })],
      [line({ book_id: null })],
      [line({ copies: 0 })],
      [line({ copies: 100_000 })],
      [line({ copies: 1.5 })],
      [line({ copies: "1" })],
      [line({ list_price: -0.01 })],
      [line({ list_price: 0.001 })],
      [line({ list_price: 1e9 })],
      [line({ list_price: 99_999_999.99, copies: 2 })],
      [line({ discount: 100.01 })],
      [line({ discount: -1 })],
      [line({ discount: 0.001 })],
      [line({ discount: null })],
      [line(), line()],
      [line(), line({ book_id: book.id.toUpperCase() })],
      Array.from({ length: 1001 }, () => line({ book_id: randomUUID() })),
    ];
    for (const lines of bad) {
      const refusal = await refusalOf(change(id, lines, 2));
      expect([JSON.stringify(lines).slice(0, 80), refusal.detail?.code]).toEqual([
        JSON.stringify(lines).slice(0, 80),
        "invalid_lines",
      ]);
    }
    expect(await purchaseOf(open(), id)).toMatchObject({ version: 2 });
  });

  test("cost what their lines cost, each rounded once from the list price, as the editor shows it", async () => {
    const cases = [
      [3, 9.99, 33.33],
      [1, 0.01, 50],
      [99_999, 9.99, 12.5],
      [7, 0.05, 10],
      [1000, 99_999.99, 0.01],
      [5, 12.3, 100],
      [40, 8.35, 0],
    ] as const;
    const lines = [];
    for (const [copies, list_price, discount] of cases)
      lines.push({ book_id: (await addBook(open())).id, copies, list_price, discount });
    // Together they exceed the maximum total of a purchase order.
    for (const one of lines) {
      const id = await begin();
      await change(id, [one], 1);
      const [row] = await open().query<{ amount: number; cost: number }>(
        "select line_cost::float8 as amount, cost::float8 as cost from public.purchase_order_lines where purchase_order_id = $1",
        [id],
      );
      const { copies, list_price, discount } = one;
      expect(hundredthsOf(row?.amount ?? -1)).toBe(
        lineAmount({ copies, listPrice: hundredthsOf(list_price), discount }),
      );
      expect(row?.cost).toBeCloseTo((list_price * (100 - discount)) / 100, 6);
    }
    // 300 copies at 6.660333 are 1,998.10; at a rounded 6.66 they would be 1,998.00.
    expect(lineAmount({ copies: 300, listPrice: 999, discount: 33.33 })).toBe(199_810);
  });

  test("have numbers without gaps, also when many are sent at once and some are not sent after all", async () => {
    const before = await numbers();
    const ids = await Promise.all(Array.from({ length: 12 }, filled));
    const sent = await Promise.all(
      ids.flatMap((id, at) => {
        const sendAndRollBack = () =>
          open().as(admin, async (query) => {
            await query("select public.send_purchase_order($1, 2)", [id]);
            throw new Error("The connection is lost.");
          });
        // The last four are lost; each of the others is sent twice at once.
        const once = () => send(id, 2).catch((error: { detail?: string }) => error.detail ?? "");
        return at < 8 ? [once(), once()] : [sendAndRollBack().catch(() => "lost")];
      }),
    );
    expect(sent.filter((text) => text.startsWith("PO"))).toHaveLength(8);
    expect(sent.filter((text) => text.includes("purchase_order_changed"))).toHaveLength(8);
    const after = await numbers();
    expect(after).toEqual(after.map((_, at) => at + 1));
    expect(after.length).toBe(before.length + 8);
  });

  test("are found by status, number and supplier, with exact counts", async () => {
    const own = await addSupplier(open(), admin);
    const draft = await beginPurchase(open(), admin, own);
    const sent = await beginPurchase(open(), admin, own);
    await change(sent, [line({ copies: 10, list_price: 12.5, discount: 30 })], 1);
    const reference = await send(sent, 2);
    const list = (status: string | null, q: string | null) =>
      open().as(admin, async (query) => {
        const rows = await query<{ id: string }>(
          "select id, copies::int as copies, total::float8 as total from public.admin_list_purchase_orders($1, $2)",
          [status, q],
        );
        const [count] = await query<{ n: number }>(
          "select public.admin_count_purchase_orders($1, $2)::int as n",
          [status, q],
        );
        expect(count?.n).toBe(rows.length);
        return rows;
      });
    expect((await list(null, `supplier ${own}`)).map(({ id }) => id)).toEqual([sent, draft]);
    expect(await list("draft", own)).toEqual([{ id: draft, copies: 0, total: 0 }]);
    expect(await list(null, reference.toLowerCase())).toEqual([{ id: sent, copies: 10, total: 87.5 }]);
    for (const q of ["%", "\\", "'; drop table x", "_".repeat(300), "\u0001"]) await list(null, q);
    expect(await list(null, "%")).toEqual([]);
  });

  test.each<[name: string, other: (id: string) => Request, answers: string[][]]>([
    [
      "staff send it in another tab",
      (id) => [admin, "select public.send_purchase_order($1, 2)", [id]],
      [
        ["done", "purchase_order_changed"],
        ["purchase_order_changed", "done"],
      ],
    ],
    [
      "staff change it",
      (id) => [
        admin,
        "select public.update_purchase_order($1, 2, $2::jsonb)",
        [id, JSON.stringify([line({ copies: 5 })])],
      ],
      [
        ["done", "purchase_order_changed"],
        ["purchase_order_changed", "done"],
      ],
    ],
    [
      "staff cancel it",
      (id) => [admin, "select public.cancel_purchase_order($1, 2)", [id]],
      [
        ["done", "purchase_order_changed"],
        ["purchase_order_changed", "done"],
      ],
    ],
  ])("sent as %s: the result is that of sequential requests", async (_, other, answers) => {
    const found = await expectSerial(open(), async () => {
      const id = await filled();
      return {
        requests: [[admin, "select public.send_purchase_order($1, 2)", [id]], other(id)],
        see: async () => {
          const { status, version } = await purchaseOf(open(), id);
          return { status, version };
        },
      };
    });
    expect(found).toEqual(answers);
  });
});
