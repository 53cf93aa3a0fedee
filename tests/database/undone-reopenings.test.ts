import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  addBook,
  addCustomer,
  addStaff,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

describeDatabase("Undoing that a cancelled order was reopened", (open) => {
  let admin: SignedIn;
  let book: TestBook;
  /** An order of 5 of 30 copies. */
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    book = await addBook(open(), { price: 20, stock: 30 });
    id = await order(open(), await addCustomer(open()), [[book, 5]]);
  });

  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const setStatus = (status: string) =>
    call("update public.orders set status = $2 where id = $1", id, status);
  const setBack = async (shown: string, status: string) => {
    const [row] = await call(
      "select problem from public.set_back_statuses(array[$1]::uuid[], array[$2], array[$3])",
      id,
      shown,
      status,
    );
    expect(row).toEqual({ problem: null });
  };
  const giveBack = async (copies: number) => {
    const [line] = await open().query<{ id: string }>(
      "select id from public.order_items where order_id = $1",
      [id],
    );
    await call("select public.return_copies($1, $2, $3, 'not_needed')", randomUUID(), id, [
      { order_item_id: line?.id, copies },
    ]);
  };
  const state = async () => ({
    stock: await stockOf(open(), book),
    order: (
      await open().query(
        "select status, stock_held, returned_amount, owed_back from public.orders where id = $1",
        [id],
      )
    )[0],
    returns: await open().query("select id, undone_at from public.order_returns where order_id = $1", [id]),
  });
  const STATUSES = ["pending", "processing", "shipped", "delivered"];

  test.each(STATUSES)("as %s puts the copies back that it took", async (status) => {
    await setStatus("cancelled");
    const before = await state();
    expect(before.stock).toBe(30);
    await setStatus(status);
    expect(await stockOf(open(), book)).toBe(25);
    await setBack(status, "cancelled");
    expect(await state()).toEqual(before);
  });

  test.each(STATUSES)(
    "as %s leaves with the customer what they had, and their return stands again",
    async (status) => {
      await setStatus("shipped");
      await setStatus("cancelled");
      await giveBack(2);
      const before = await state();
      expect(before.stock).toBe(27);
      await setStatus(status);
      expect(await stockOf(open(), book)).toBe(25);
      await setBack(status, "cancelled");
      expect(await state()).toEqual(before);
      // And again.
      await setStatus(status);
      await setBack(status, "cancelled");
      expect(await state()).toEqual(before);
    },
  );

  test("also after it went on to another status", async () => {
    await setStatus("cancelled");
    const before = await state();
    await setStatus("pending");
    await setStatus("shipped");
    await setBack("shipped", "cancelled");
    expect(await state()).toEqual(before);
  });

  test("moves no copy twice that has come back since", async () => {
    await setStatus("cancelled");
    await setStatus("shipped");
    await giveBack(1);
    await setBack("shipped", "cancelled");
    expect(await stockOf(open(), book)).toBe(26);
  });

  test.each(["shipped", "delivered"])(
    "undoing that a %s order was cancelled moves no copy, also if all have come back",
    async (status) => {
      await setStatus(status);
      for (const copies of [2, 3]) {
        await giveBack(copies);
        const before = await state();
        await setStatus("cancelled");
        await setBack("cancelled", status);
        expect(await state()).toEqual(before);
      }
    },
  );

  test("does not change what cancelling by hand does", async () => {
    await setStatus("cancelled");
    await setStatus("shipped");
    await setStatus("cancelled");
    expect(await state()).toMatchObject({ stock: 25, order: { stock_held: true } });
  });
});
