import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Request, send } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { openOnline, payOnline, refundOnline, settleOnline } from "#tests/support/payments.ts";
import { type SignedIn, secretKey } from "#tests/support/people.ts";

const filters = ["due", "paid", "needs_decision"] as const;

describeDatabase("The payment filters of the order list", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });

  const newOrder = async () => order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
  const setStatus = (id: string, status: string) =>
    send(open(), [admin, "update public.orders set status = $2 where id = $1", [id, status]]);
  const record = (id: string, amount: number, kind = "payment") =>
    send(open(), [
      admin,
      "select public.record_payment($1, $2, $3, 'cash', $4, '2026-01-01', null, null, true) as id",
      [randomUUID(), id, kind, amount],
    ]);

  /** The filters that list this order; each has it once, and counts as it lists. */
  async function listedBy(id: string): Promise<string[]> {
    const found: string[] = [];
    for (const filter of filters) {
      const [row] = await open().as(admin, (query) =>
        query<{ listed: number; counted: number }>(
          `select (select count(*) from public.admin_list_orders(_q => $1, _payment => $2))::int as listed,
                  public.admin_count_orders(_q => $1, _payment => $2)::int as counted`,
          [id, filter],
        ),
      );
      expect(row?.listed).toBe(row?.counted);
      if (row?.listed) found.push(filter);
    }
    return found;
  }

  test("follow what is paid by hand, refunded and cancelled", async () => {
    const id = await newOrder();
    expect(await listedBy(id)).toEqual(["due"]);
    await record(id, 40);
    expect(await listedBy(id)).toEqual(["due"]);
    await record(id, 60);
    expect(await listedBy(id)).toEqual(["paid"]);
    await record(id, 10);
    expect(await listedBy(id)).toEqual(["needs_decision"]);
    await record(id, 10, "refund");
    expect(await listedBy(id)).toEqual(["paid"]);
    await setStatus(id, "cancelled");
    expect(await listedBy(id)).toEqual(["needs_decision"]);
    await record(id, 100, "refund");
    expect(await listedBy(id)).toEqual([]);
    await setStatus(id, "pending");
    expect(await listedBy(id)).toEqual(["due"]);
  });

  test("follow what is paid online, in doubt and refunded", async () => {
    const id = await newOrder();
    const payment = await openOnline(open(), id);
    expect(await listedBy(id)).toEqual(["due"]);
    await settleOnline(open(), payment.reference, { amount: 99 });
    expect(await listedBy(id)).toEqual(["due", "needs_decision"]);
    await send(open(), [admin, "select public.decide_payment($1, 'set_aside', 'Sent back')", [payment.id]]);
    expect(await listedBy(id)).toEqual(["due"]);
    const paid = await payOnline(open(), id, 100);
    expect(await listedBy(id)).toEqual(["paid"]);
    await refundOnline(open(), admin, paid.id, 30);
    expect(await listedBy(id)).toEqual(["paid"]);
  });

  test("find money that came in while an order was deleted, once it is restored", async () => {
    const id = await newOrder();
    const payment = await openOnline(open(), id);
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    await settleOnline(open(), payment.reference, { amount: 100 });
    await send(open(), [admin, "select public.restore_order($1)", [id]]);
    expect(await listedBy(id)).toEqual(["due", "needs_decision"]);
  });

  /** Runs `late` while a request's transaction has done its work and is still open. */
  async function during([person, sql, values]: Request, late: () => Promise<unknown>): Promise<void> {
    let ended = false;
    const { ending } = await open().as(person, async (query) => {
      await query(sql, values);
      const ending = late().finally(() => {
        ended = true;
      });
      const isWaiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => ended || (await open().query(isWaiting)).length > 0).toBe(true);
      return { ending };
    });
    await ending;
  }

  test("count a payment that is made at the moment when money comes in that the shop knows nothing of", async () => {
    const id = await newOrder();
    const { reference } = await openOnline(open(), id);
    const settling = "select public.settle_payment($1, 'success', 100, 'GHS', '2026-11-20', '1')";
    await during([secretKey, settling, [reference]], () =>
      settleOnline(open(), `${reference.split("-")[0]}-0123456789abcdef`, { amount: 40 }),
    );
    expect(await listedBy(id)).toEqual(["paid", "needs_decision"]);
  });

  test("find money that comes in at the moment when its order is restored", async () => {
    const id = await newOrder();
    const { reference } = await openOnline(open(), id);
    await send(open(), [admin, "delete from public.orders where id = $1", [id]]);
    await during([admin, "select public.restore_order($1)", [id]], () =>
      settleOnline(open(), reference, { amount: 100 }),
    );
    expect(await listedBy(id)).toEqual(["paid"]);
  });

  test("rest on a sum that is that of the payments for every order, and that no customer can set", async () => {
    const [wrong] = await open().query(
      `select count(*)::int as orders from public.orders o cross join lateral private.sum_payments(o.id) as s
        where (o.paid_amount, o.has_undecided_payment) is distinct from (s.paid, s.undecided)`,
    );
    expect(wrong).toEqual({ orders: 0 });
    const id = await newOrder();
    for (const person of [customer, admin])
      await expect(
        send(open(), [person, "update public.orders set paid_amount = 100 where id = $1", [id]]),
      ).rejects.toThrow("permission denied");
  });
});
