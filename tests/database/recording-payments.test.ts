import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectSerial, type Request } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, deliverOrders, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { paymentsOf, payOnline, summaryOf } from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

type Recorded = { id?: string; kind?: string; method?: string; reference?: string | null; sure?: boolean };

const recordSql = "select public.record_payment($1, $2, $3, $4, $5, $6::date, $7, 'A note', $8) as id";

describeDatabase("Payments that staff record", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  /** An order of GH₵100. */
  let id: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
  });

  const request = (
    amount: number,
    {
      id: row = randomUUID(),
      kind = "payment",
      method = "cash",
      reference = null,
      sure = false,
    }: Recorded = {},
  ): Request => [admin, recordSql, [row, id, kind, method, amount, "2026-11-01", reference, sure]];
  const record = async (amount: number, how: Recorded = {}) => {
    const [person, sql, values] = request(amount, how);
    const [row] = await open().as(person, (query) => query<{ id: string }>(sql, values));
    return String(row?.id);
  };
  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const correct = (payment: string, note = "A slip of the pen") =>
    call("select public.correct_payment($1, $2) as id", payment, note);
  const setStatus = (status: string) =>
    call("update public.orders set status = $2 where id = $1", id, status);

  test("what has been paid and is due is one rule, for each state of an order", async () => {
    const seen = async () => Object.values(await summaryOf(open(), customer, id));
    expect(await seen()).toEqual([100, 0, 100, "due", false]);
    const first = await record(40);
    expect(await seen()).toEqual([100, 40, 60, "part_paid", false]);
    await record(60);
    expect(await seen()).toEqual([100, 100, 0, "paid", false]);
    await correct(first);
    expect(await seen()).toEqual([100, 60, 40, "part_paid", false]);
    await setStatus("cancelled");
    expect(await seen()).toEqual([100, 60, 0, "too_much", true]);
    await record(60, { kind: "refund" });
    expect(await seen()).toEqual([100, 0, 0, "none", false]);
  });

  test("a repeated call with the same id records nothing twice", async () => {
    const payment = randomUUID();
    await record(40, { id: payment });
    expect(await record(40, { id: payment })).toBe(payment);
    expect(await paymentsOf(open(), id)).toEqual(["payment cash 40.00 settled"]);
  });

  test("more than is due is refused, and recorded when staff are sure", async () => {
    const refused = await refusalOf(record(100.01));
    expect(refused).toMatchObject({ code: "PT409", message: "Only GH₵100.00 is due.", detail: { due: 100 } });
    await record(100.01, { sure: true });
    expect(await summaryOf(open(), customer, id)).toMatchObject({ state: "too_much", needs_decision: true });
  });

  test.each<[string, number, Recorded, string, object]>([
    ["nothing", 0, {}, "PT400", { field: "amount" }],
    ["less than nothing", -5, {}, "PT400", { field: "amount" }],
    ["a third decimal", 1.005, {}, "PT400", { field: "amount" }],
    ["an unknown method", 5, { method: "paystack" }, "PT400", { field: "method" }],
    ["an unknown kind", 5, { kind: "correction" }, "PT400", { field: "kind" }],
    [
      "mobile money without its transaction",
      5,
      { method: "mobile_money", reference: "  " },
      "PT400",
      { field: "reference" },
    ],
    ["a refund of what was never paid", 5, { kind: "refund" }, "PT409", { code: "more_than_paid", most: 0 }],
  ])("%s is refused with a message", async (_title, amount, how, code, detail) => {
    expect(await refusalOf(record(amount, how))).toMatchObject({ code, detail });
  });

  test("a date in the future is refused, and today in Ghana is not", async () => {
    const on = (day: string) =>
      call(`select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', 5, ${day})`, id);
    expect(await refusalOf(on("(now() at time zone 'UTC')::date + 1"))).toMatchObject({
      detail: { field: "paid_on" },
    });
    await on("(now() at time zone 'UTC')::date");
  });

  test("an operator's transaction counts once, for any order, until it is corrected", async () => {
    const reference = `tx ${randomUUID()}`;
    const payment = await record(40, { method: "mobile_money", reference });
    const again = () => record(40, { method: "mobile_money", reference: ` ${reference.toUpperCase()} ` });
    expect((await refusalOf(again())).detail).toMatchObject({ code: "reference_recorded" });
    await correct(payment);
    await again();
  });

  test("two staff with the same transaction at once record it once", async () => {
    const responses = await expectSerial(open(), async () => {
      const reference = randomUUID();
      id = await order(open(), customer, [[await addBook(open(), { price: 50, stock: 99 }), 2]]);
      const one = request(30, { method: "mobile_money", reference });
      const other = request(30, { method: "mobile_money", reference });
      await call("update public.orders set status = 'processing' where id = $1", id);
      return { requests: [one, other], see: () => paymentsOf(open(), id) };
    });
    expect(responses).toEqual([
      ["done", "reference_recorded"],
      ["reference_recorded", "done"],
    ]);
  });

  test("a correction is a row of its own, made once, of nothing but what was recorded by hand", async () => {
    const payment = await record(40);
    expect((await refusalOf(correct(payment, " "))).detail).toMatchObject({ field: "note" });
    const [made] = await correct(payment);
    expect(await correct(payment)).toEqual([made]);
    expect(await paymentsOf(open(), id)).toEqual([
      "correction cash -40.00 settled",
      "payment cash 40.00 settled",
    ]);
    expect((await refusalOf(correct(String(made?.id)))).detail).toMatchObject({ code: "not_by_hand" });
    const online = await payOnline(open(), id, 100);
    expect((await refusalOf(correct(online.id))).detail).toMatchObject({ code: "not_by_hand" });
  });

  test("what has since been refunded cannot be corrected away", async () => {
    const payment = await record(40);
    const refund = await record(10, { kind: "refund" });
    expect((await refusalOf(correct(payment))).detail).toMatchObject({ code: "refunded_since" });
    await correct(refund);
    await correct(payment);
    expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 0, state: "due" });
  });

  test("an order with money in it is not deleted, and one whose money went back is", async () => {
    const remove = () => call("delete from public.orders where id = $1 returning id", id);
    await record(40);
    expect(await refusalOf(remove())).toMatchObject({ code: "PT409", detail: { code: "order_is_paid" } });
    await record(40, { kind: "refund" });
    expect(await remove()).toHaveLength(1);
    expect(await paymentsOf(open(), id)).toHaveLength(2);
    await call("select public.restore_order($1)", id);
    expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 0, due: 100 });
  });

  test("writes to nobody about the money of an order that was deleted since", async () => {
    await record(40);
    await record(40, { kind: "refund" });
    await call("delete from public.orders where id = $1", id);
    await open().query(
      "update public.outgoing_emails set due_at = now() + interval '1 hour' where order_id is distinct from $1",
      [id],
    );
    expect(await open().query("select public.claim_email() as email")).toEqual([{ email: null }]);
    const emails = await open().query(
      "select kind, reason from public.outgoing_emails where order_id = $1 and kind in ('order_paid', 'order_refunded') order by 1",
      [id],
    );
    expect(emails).toEqual([
      { kind: "order_paid", reason: "The order was deleted." },
      { kind: "order_refunded", reason: "The order was deleted." },
    ]);
  });

  test("a forgotten customer's notes go, also from the log; the money stays", async () => {
    await record(40);
    await deliverOrders(open(), customer);
    await call("select public.anonymise_customer($1)", customer.id);
    const [row] = await open().query("select amount, note from public.payments where order_id = $1", [id]);
    expect(row).toEqual({ amount: "40.00", note: null });
    const logged = await open().query(
      "select coalesce(before, after) ->> 'note' as note from public.audit_log where table_name = 'payments' and after ->> 'order_id' = $1",
      [id],
    );
    expect(new Set(logged.map(({ note }) => note))).toEqual(new Set([null]));
  });

  test("each payment and refund has one email to the customer, a correction none", async () => {
    const payment = await record(40);
    await record(10, { kind: "refund" });
    await record(5);
    await correct(await record(7));
    const emails = await open().query(
      "select kind from public.outgoing_emails where order_id = $1 and kind in ('order_paid', 'order_refunded') order by created_at",
      [id],
    );
    expect(emails.map(({ kind }) => kind)).toEqual([
      "order_paid",
      "order_refunded",
      "order_paid",
      "order_paid",
    ]);
    await open().query(
      "update public.outgoing_emails set state = 'sent', settled_at = now() where state = 'waiting' and event is distinct from $1",
      [payment],
    );
    const [claimed] = await open().query<{ email: { payment: object } }>(
      "select public.claim_email() as email",
    );
    expect(claimed?.email.payment).toMatchObject({
      amount: 40,
      method: "cash",
      paid: 35,
      due: 65,
      state: "part_paid",
    });
  });
});
