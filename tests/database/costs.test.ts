import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order, stockOf } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";

describeDatabase("The cost of books", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });
  const asAdmin = <Row extends Record<string, unknown>>(sql: string, values: unknown[] = []) =>
    open().as(admin, (query) => query<Row>(sql, values));
  type Line = { copies: number; cost: number | null; damaged?: number };
  const receive = async (bookId: string, { copies, cost, damaged = 0 }: Line, currency = "GHS", rate = 1) => {
    const id = randomUUID();
    await asAdmin("select public.book_receipt($1, $2::jsonb, _currency => $3, _rate => $4)", [
      id,
      JSON.stringify([{ book_id: bookId, copies, damaged, cost }]),
      currency,
      rate,
    ]);
    return id;
  };
  const undo = (id: string) => asAdmin("select public.undo_receipt($1)", [id]);
  const costOf = async (bookId: string) => {
    const [row] = await asAdmin<{ cost: number | null }>("select public.read_book_cost($1)::float8 as cost", [
      bookId,
    ]);
    return row?.cost ?? null;
  };
  const setStock = (bookId: string, copies: number) =>
    open().query("update public.books set stock_quantity = $2 where id = $1", [bookId, copies]);
  const today = "(now() at time zone 'UTC')::date";
  /** A title's line in the margin report: copies, copies with a cost, and their sales and cost. */
  const marginOf = async (bookId: string) => {
    const [row] = await asAdmin<{ line: string }>(
      `select concat_ws(' ', copies, costed, books::float8, cost::float8) as line
         from public.report_margins(${today}, ${today}, 'title', 1000) where key = $1`,
      [bookId],
    );
    return row?.line;
  };

  test("is the average of the copies in stock, weighted at each receipt, in cedis at its rate", async () => {
    const book = await addBook(open(), { stock: 10 });
    const { id } = book;
    expect(await costOf(id)).toBeNull();
    await receive(id, { copies: 5, cost: null });
    expect(await costOf(id)).toBeNull();
    // The 15 copies with an unknown cost are assumed to have cost the same.
    await receive(id, { copies: 5, cost: 8 });
    expect(await costOf(id)).toBe(8);
    await receive(id, { copies: 20, cost: 2, damaged: 3 }, "GBP", 5.5);
    expect(await costOf(id)).toBe(9.5);
    // Sold copies leave at the average, which stays.
    await order(open(), customer, [[book, 30]]);
    expect(await costOf(id)).toBe(9.5);
    await receive(id, { copies: 10, cost: 12.5 });
    expect(await costOf(id)).toBe(11);
    await setStock(id, 0);
    await receive(id, { copies: 1, cost: 20 });
    expect(await costOf(id)).toBe(20);
  });

  test("an undone receipt no longer affects the average, which is unknown without receipts", async () => {
    const book = await addBook(open(), { stock: 10 });
    const { id } = book;
    const first = await receive(id, { copies: 10, cost: 8 });
    const second = await receive(id, { copies: 20, cost: 11 });
    const third = await receive(id, { copies: 40, cost: 13.25 });
    await undo(second);
    // 20 copies at 8 and 40 at 13.25
    expect(await costOf(id)).toBe(11.5);
    await undo(third);
    expect(await costOf(id)).toBe(8);
    await undo(first);
    expect(await costOf(id)).toBeNull();
    const next = await receive(id, { copies: 10, cost: 5 });
    expect(await costOf(id)).toBe(5);
    await undo(next);
    await undo(next);
    expect(await costOf(id)).toBeNull();
    expect(await stockOf(open(), book)).toBe(10);
  });

  test("is the stock's value divided by its copies, whatever is received, undone and sold", async () => {
    const step = fc.record({
      copies: fc.integer({ min: 1, max: 40 }),
      pesewas: fc.integer({ min: 0, max: 9000 }),
      sold: fc.integer({ min: 0, max: 30 }),
      isUndone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { id } = await addBook(open(), { stock: 0 });
        let [copies, worth] = [0, 0];
        for (const { copies: more, pesewas, sold, isUndone } of steps) {
          const receipt = await receive(id, { copies: more, cost: pesewas / 100 });
          if (isUndone) await undo(receipt);
          else {
            [copies, worth] = [copies + more, worth + more * pesewas];
            const left = Math.max(copies - sold, 1);
            [copies, worth] = [left, (worth / copies) * left];
            await setStock(id, left);
          }
          const cost = await costOf(id);
          if (copies === 0) expect(cost).toBeNull();
          else expect(Math.abs((cost ?? Number.NaN) - worth / copies / 100)).toBeLessThan(0.02);
        }
      }),
      { numRuns: inGateOrLong(12, 200) },
    );
  });

  test("an average sets the margin of later orders, even after it changes", async () => {
    const book = await addBook(open(), { price: 20, stock: 10 });
    const { id } = book;
    const buy = (copies: number) => order(open(), customer, [[book, copies]]);
    await buy(1);
    expect(await marginOf(id)).toBe("1 0 0 0");
    await receive(id, { copies: 9, cost: 9.5 });
    const bought = await buy(3);
    expect(await marginOf(id)).toBe("4 3 60 28.5");
    await receive(id, { copies: 50, cost: 14 });
    const setStatus = (status: string) =>
      asAdmin("update public.orders set status = $2 where id = $1", [bought, status]);
    await setStatus("cancelled");
    expect(await marginOf(id)).toBe("1 0 0 0");
    await setStatus("pending");
    expect(await marginOf(id)).toBe("4 3 60 28.5");
    await asAdmin("delete from public.orders where id = $1", [bought]);
    expect(await marginOf(id)).toBe("1 0 0 0");
    await asAdmin("select public.restore_order($1)", [bought]);
    await open().query("select private.fold_sales()");
    expect(await marginOf(id)).toBe("4 3 60 28.5");
    const [all] = await asAdmin<{ all: string }>(
      `select concat_ws(' ', sum(copies), sum(costed), sum(books - cost)::float8) as all from public.report_margins(${today}, ${today}, 'publisher', 1)`,
    );
    const [titles] = await asAdmin<{ all: string }>(
      `select concat_ws(' ', sum(copies), sum(costed), sum(books - cost)::float8) as all from public.report_margins(${today}, ${today}, 'title', 2)`,
    );
    expect(all).toEqual(titles);
    expect(
      (await refusalOf(asAdmin(`select public.report_margins(${today}, ${today}, 'region')`))).detail,
    ).toMatchObject({
      code: "invalid_field",
    });
  });

  test("forty simultaneous receipts and orders leave sums that a recount confirms, and none once all are cancelled", {
    tags: "long",
  }, async () => {
    const books = await Promise.all([1, 2, 3].map(() => addBook(open(), { price: 20, stock: 400 })));
    const people = await Promise.all(Array.from({ length: 40 }, () => addCustomer(open())));
    const orders = await Promise.all(
      people.map(async (person, n) => {
        const [mine, other] = [books[n % 3], books[(n + 1) % 3]] as [(typeof books)[0], (typeof books)[0]];
        const [id] = await Promise.all([
          order(open(), person, [
            [mine, 1],
            [other, 2],
          ]),
          receive(mine.id, { copies: 3, cost: n + 0.5 }),
        ]);
        return id;
      }),
    );
    const wrong = () => open().query("select * from private.wrong_sales()");
    expect(await wrong()).toEqual([]);
    for (const id of orders)
      await asAdmin("update public.orders set status = 'cancelled' where id = $1", [id]);
    expect(await wrong()).toEqual([]);
    for (const { id } of books) expect(await marginOf(id)).toBeUndefined();
    const [value] = await asAdmin<{ copies: number; unknown: number }>(
      "select copies::int as copies, unknown_copies::int as unknown from public.report_stock_value()",
    );
    const [counted] = await open().query<{ all: number }>(
      "select sum(stock_quantity)::int as all from public.books",
    );
    expect((value?.copies ?? 0) + (value?.unknown ?? 0)).toBe(counted?.all);
  });
});
