import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { callAsServer } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("Money that is owed back", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  /** An order of GH₵100. */
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  const newOrder = async () => {
    customer = await addCustomer(open());
    id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
  };
  beforeEach(newOrder);

  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const record = (kind: string, amount: number) =>
    call(
      "select public.record_payment(gen_random_uuid(), $1, $2, 'cash', $3, '2026-11-01', null, null, true)",
      id,
      kind,
      amount,
    );
  const setStatus = (status: string) =>
    call("update public.orders set status = $2 where id = $1", id, status);
  const keep = (amount: number, reason: string | null = "For the next order", note: string = randomUUID()) =>
    call("select public.keep_overpayment($1, $2, $3, $4)", id, amount, reason, note);
  /** "paid kept owed_back due state", as the order's customer reads it. */
  const seen = async () => {
    const [row] = await open().as(customer, (query) =>
      query(
        `select concat_ws(' ', paid::float, kept::float, owed_back::float, due::float, state) as seen
           from public.list_order_payments(array[$1]::uuid[])`,
        [id],
      ),
    );
    return row?.seen;
  };
  const notes = async () =>
    (await call("select body from public.order_notes where order_id = $1 order by created_at", id)).map(
      ({ body }) => body,
    );
  /** Whether the order is in the list of those with money to refund. */
  const isListed = async () => {
    const rows = await call(
      "select id from public.admin_list_orders(_payment => 'to_refund', _page_size => 200)",
    );
    const [count] = await call("select public.admin_count_orders(_payment => 'to_refund')::int as n");
    expect(count?.n).toBe(rows.length);
    return rows.some((row) => row.id === id);
  };
  const work = async () => {
    const [row] = await call("select to_refund::int, owed_back::float from public.todays_work()");
    return row as { to_refund: number; owed_back: number };
  };

  test("is all that was paid for a cancelled order, until it is refunded", async () => {
    const before = await work();
    await record("payment", 60);
    expect(await seen()).toBe("60 0 0 40 part_paid");
    expect(await isListed()).toBe(false);
    await setStatus("cancelled");
    expect(await seen()).toBe("60 0 60 0 too_much");
    expect(await isListed()).toBe(true);
    expect(await work()).toEqual({ to_refund: before.to_refund + 1, owed_back: before.owed_back + 60 });
    await record("refund", 45);
    expect(await seen()).toBe("15 0 15 0 too_much");
    await record("refund", 15);
    expect(await seen()).toBe("0 0 0 0 none");
    expect(await isListed()).toBe(false);
    expect(await work()).toEqual(before);
  });

  test("is what was paid beyond an order's total", async () => {
    await record("payment", 120);
    expect(await seen()).toBe("120 0 20 0 too_much");
    await keep(20);
    expect(await seen()).toBe("120 20 0 0 paid");
  });

  test("is kept by decision, with a note about the order, and owed again when that is undone", async () => {
    await record("payment", 100);
    await setStatus("cancelled");
    await keep(40, "  Spent on order 1002 ");
    expect(await seen()).toBe("100 40 60 0 too_much");
    await keep(100, "All of it");
    expect(await seen()).toBe("100 100 0 0 none");
    expect(await isListed()).toBe(false);
    await keep(0, null);
    expect(await seen()).toBe("100 0 100 0 too_much");
    expect(await isListed()).toBe(true);
    expect(await notes()).toEqual([
      "Kept GH₵40.00: Spent on order 1002",
      "Kept GH₵100.00: All of it",
      "No money is kept any longer.",
    ]);
    const logged = await open().query(
      `select (before ->> 'kept_amount')::float as was, (after ->> 'kept_amount')::float as is, actor
         from public.audit_log where table_name = 'orders' and row_id = $1 and before ->> 'kept_amount' <> after ->> 'kept_amount' order by id`,
      [id],
    );
    expect(logged).toEqual([
      { was: 0, is: 40, actor: admin.id },
      { was: 40, is: 100, actor: admin.id },
      { was: 100, is: 0, actor: admin.id },
    ]);
  });

  test("is kept once, however often the call is repeated", async () => {
    await record("payment", 100);
    await setStatus("cancelled");
    const note = randomUUID();
    await keep(100, "Spent", note);
    await keep(100, "Spent", note);
    expect(await notes()).toEqual(["Kept GH₵100.00: Spent"]);
  });

  test.each<[string, number | string, string | null, object]>([
    ["more than is owed back", 60.01, "Why", { code: "more_than_owed_back", most: 60 }],
    ["no reason", 60, " ", { field: "reason" }],
    ["less than nothing", -1, "Why", { field: "amount" }],
    ["a third decimal", 1.005, "Why", { field: "amount" }],
    ["no number", "NaN", "Why", { field: "amount" }],
  ])("is not kept with %s", async (_title, amount, reason, detail) => {
    await record("payment", 60);
    await setStatus("cancelled");
    expect((await refusalOf(keep(amount as number, reason))).detail).toMatchObject(detail);
    expect(await seen()).toBe("60 0 60 0 too_much");
  });

  test("is not kept while a refund of it is under way", async () => {
    await record("payment", 60);
    await setStatus("cancelled");
    await open().query(
      `insert into public.payments (order_id, order_number, user_id, kind, method, amount, about, state)
       select order_id, order_number, user_id, 'refund', 'paystack', -50, id, 'open' from public.payments where order_id = $1`,
      [id],
    );
    expect((await refusalOf(keep(60))).detail).toMatchObject({ most: 10 });
  });

  test("is not refunded while it is kept, and kept no longer when the order is reopened or Paystack refunds it", async () => {
    await record("payment", 100);
    await setStatus("cancelled");
    await keep(100);
    await setStatus("pending");
    expect(await seen()).toBe("100 0 0 0 paid");
    expect((await notes()).at(-1)).toBe("GH₵100.00 of the money is no longer kept.");
    await setStatus("cancelled");
    expect(await seen()).toBe("100 0 100 0 too_much");
    await keep(60);
    await record("refund", 40);
    expect(await seen()).toBe("60 60 0 0 none");
    expect((await refusalOf(record("refund", 50))).detail).toMatchObject({ code: "money_is_kept", kept: 60 });
    expect(await seen()).toBe("60 60 0 0 none");
    // As when it was refunded in Paystack's dashboard.
    await open().query(
      `insert into public.payments (order_id, order_number, user_id, kind, method, amount, state, paid_on, settled_at)
       select id, number, user_id, 'refund', 'cash', -50, 'settled', '2026-11-01', now() from public.orders where id = $1`,
      [id],
    );
    expect(await seen()).toBe("10 10 0 0 none");
  });

  test("is either kept or refunded by two staff at once", async () => {
    const responses = await expectSerial(open(), async () => {
      await newOrder();
      await record("payment", 100);
      await setStatus("cancelled");
      const requests: [Request, Request] = [
        [admin, "select public.keep_overpayment($1, 100, 'Why')", [id]],
        [
          admin,
          "select public.record_payment(gen_random_uuid(), $1, 'refund', 'cash', 100, '2026-11-01')",
          [id],
        ],
      ];
      return { requests, see: seen };
    });
    expect(responses).toEqual([
      ["done", "money_is_kept"],
      ["more_than_owed_back", "done"],
    ]);
  });

  test("is in the email that the order is cancelled", async () => {
    await record("payment", 60);
    await open().query("delete from public.outgoing_emails");
    await setStatus("cancelled");
    await open().query("update public.outgoing_emails set due_at = now() where state = 'waiting'");
    const claimed = await callAsServer<{ kind: string; order: object }>(open(), "claim_email()");
    expect(claimed).toMatchObject({ kind: "order_cancelled", order: { paid: 60, owed_back: 60 } });
  });
});
