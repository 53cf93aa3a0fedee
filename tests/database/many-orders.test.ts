import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request, send } from "#tests/support/at-once.ts";
import {
  addBook,
  addCustomer,
  addStaff,
  order,
  stockOf,
  type TestBook,
} from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("Many orders at once", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });
  beforeEach(async () => {
    book = await addBook(open(), { stock: 10 });
  });

  const statusOf = async (id: string) =>
    (await open().query("select status from public.orders where id = $1", [id]))[0]?.status;
  const request = (ids: string[], shown: string[], status: string): Request => [
    admin,
    "select order_id, number::int, problem from public.set_order_statuses($1, $2, $3)",
    [ids, shown, status],
  ];
  const set = async (ids: string[], shown: string[], status: string) =>
    (await send(open(), request(ids, shown, status))).map(({ problem }) => problem);

  test("get one status, each with its event, and those that cannot say why", async () => {
    const [one, two, three] = [
      await order(open(), customer, [[book, 2]]),
      await order(open(), customer, [[book, 2]]),
      await order(open(), customer, [[book, 2]]),
    ];
    await send(open(), [customer, "update public.orders set status = 'cancelled' where id = $1", [two]]);
    const missing = randomUUID();
    expect(
      await set([one, two, missing, three], ["pending", "pending", "pending", "pending"], "shipped"),
    ).toEqual([
      null,
      "It is now cancelled. Check it before you change its status.",
      "It no longer exists.",
      null,
    ]);
    expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([
      "shipped",
      "cancelled",
      "shipped",
    ]);
    const events = await open().query(
      "select to_status, actor from public.order_events where order_id = any ($1) and to_status = 'shipped'",
      [[one, three]],
    );
    expect(events).toEqual([
      { to_status: "shipped", actor: admin.id },
      { to_status: "shipped", actor: admin.id },
    ]);
    // Again, as after a lost answer: nothing more happens.
    expect(await set([one, three], ["pending", "pending"], "shipped")).toEqual([null, null]);
    expect(await open().query("select from public.order_events where order_id = $1", [one])).toHaveLength(1);
  });

  test("return and take their copies like one by one, and one that cannot does not stop the others", async () => {
    const [big, small] = [
      await order(open(), customer, [[book, 8]]),
      await order(open(), customer, [[book, 2]]),
    ];
    expect(await set([big, small], ["pending", "pending"], "cancelled")).toEqual([null, null]);
    expect(await stockOf(open(), book)).toBe(10);
    const taken = await order(open(), customer, [[book, 5]]);
    expect(await set([big, small], ["cancelled", "cancelled"], "processing")).toEqual([
      `Not enough in stock: ${book.title} (5 left).`,
      null,
    ]);
    expect(await stockOf(open(), book)).toBe(3);
    expect([await statusOf(big), await statusOf(small), await statusOf(taken)]).toEqual([
      "cancelled",
      "processing",
      "pending",
    ]);
  });

  test("are refused as a whole when they can't be meant", async () => {
    const id = await order(open(), customer, [[book, 1]]);
    for (const [ids, shown] of [
      [[], []],
      [[id], []],
      [Array(201).fill(id), Array(201).fill("pending")],
    ] as [string[], string[]][])
      expect((await refusalOf(send(open(), request(ids, shown, "shipped")))).detail).toEqual({
        code: "invalid_rows",
      });
    expect((await refusalOf(send(open(), request([id], ["pending"], "lost")))).detail).toMatchObject({
      field: "status",
      rule: "choice",
    });
    expect(await statusOf(id)).toBe("pending");
  });

  test("change beside a customer who cancels one of them, as if one came after the other", async () => {
    const responses = await expectSerial(open(), async () => {
      const shelf = await addBook(open(), { stock: 10 });
      const id = await order(open(), customer, [[shelf, 4]]);
      return {
        requests: [
          request([id], ["pending"], "delivered"),
          [customer, "update public.orders set status = 'cancelled' where id = $1 returning id", [id]],
        ],
        see: async () => [await statusOf(id), await stockOf(open(), shelf)],
      };
    });
    expect(responses).toEqual([
      ["done", "nothing"],
      ["done", "done"],
    ]);
  });
});
