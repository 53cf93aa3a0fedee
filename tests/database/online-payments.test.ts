import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import {
  callAsServer,
  openOnline,
  paymentsOf,
  payOnline,
  refundOnline,
  settleOnline,
  summaryOf,
} from "#tests/support/payments.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

type Check = { id: string; kind: string; reference: string; amount: number; provider_id: string | null };

describeDatabase("Payments through Paystack", (open) => {
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

  const call = (sql: string, ...values: unknown[]) => open().as(admin, (query) => query(sql, values));
  const setStatus = (status: string) =>
    call("update public.orders set status = $2 where id = $1", id, status);
  const payCash = (amount: number) =>
    call(
      "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', $2, '2026-11-01')",
      id,
      amount,
    );
  const ago = (payment: string, time: string) =>
    open().query(
      "update public.payments set created_at = now() - $2::interval, check_at = now() where id = $1",
      [payment, time],
    );
  const claim = () => callAsServer<Check | null>(open(), "claim_payment_check()");
  const claimAll = async () => {
    const found: Check[] = [];
    for (let check = await claim(); check; check = await claim()) found.push(check);
    return found;
  };
  const refundState = (
    reference: string,
    refund: string | null,
    provider: string | null,
    amount: number,
    outcome: string,
  ) =>
    callAsServer<string | null>(
      open(),
      "settle_refund($1, $2, $3, $4, $5)",
      reference,
      refund,
      provider,
      amount,
      outcome,
    );

  test("a payment is opened for what is due, to the recipient's address, under a reference with the order's number", async () => {
    await payCash(30);
    const payment = await openOnline(open(), id);
    const [found] = await open().query("select number from public.orders where id = $1", [id]);
    expect(payment).toMatchObject({ amount: 70, email: `${customer.id}@shop.test`, checkout_url: null });
    expect(payment.reference).toMatch(new RegExp(`^${found?.number}-[0-9a-f]{16}$`));
    expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 30, due: 70 });
  });

  test("a customer who clicks twice gets the same page, until the debt has changed or an hour has passed", async () => {
    const first = await openOnline(open(), id);
    await callAsServer(open(), "note_checkout($1, $2)", first.id, "https://pay.example/1");
    const all = await Promise.all(Array.from({ length: 8 }, () => openOnline(open(), id)));
    expect(new Set(all.map(({ reference }) => reference))).toEqual(new Set([first.reference]));
    expect(all[0]?.checkout_url).toBe("https://pay.example/1");
    await payCash(10);
    expect((await openOnline(open(), id)).reference).not.toBe(first.reference);
    await open().query(
      "update public.payments set created_at = now() - interval '61 minutes' where order_id = $1",
      [id],
    );
    expect((await openOnline(open(), id)).amount).toBe(90);
    expect(await paymentsOf(open(), id)).toHaveLength(4);
  });

  test("nothing is opened for an order that is paid, cancelled, deleted, or has a payment in doubt", async () => {
    const refused = async () => (await refusalOf(openOnline(open(), id))).detail?.code;
    const payment = await openOnline(open(), id);
    await settleOnline(open(), payment.reference, { amount: 99 });
    expect(await refused()).toBe("payment_being_checked");
    await call("select public.decide_payment($1, 'count')", payment.id);
    await payCash(1);
    expect(await refused()).toBe("nothing_due");
    await setStatus("cancelled");
    expect(await refused()).toBe("order_cancelled");
    id = randomUUID();
    expect(await refused()).toBe("order_not_found");
  });

  test("a customer has to wait after ten payments within an hour", async () => {
    for (let n = 0; n < 10; n += 1) {
      const { reference } = await openOnline(open(), id);
      await settleOnline(open(), reference, { outcome: "failed" });
    }
    expect(await refusalOf(openOnline(open(), id))).toMatchObject({ code: "PT429" });
  });

  test("50 messages at once about one payment make one payment, one email and one line of history", async () => {
    const { reference } = await openOnline(open(), id);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => settleOnline(open(), reference, { amount: 100 })),
    );
    expect(new Set(responses.map((response) => response?.state))).toEqual(new Set(["settled"]));
    expect(await paymentsOf(open(), id)).toEqual(["payment paystack 100.00 settled"]);
    const [emails] = await open().query(
      "select count(*) from public.outgoing_emails where order_id = $1 and kind = 'order_paid'",
      [id],
    );
    expect(emails?.count).toBe(1);
    const log = await open().query(
      "select 1 from public.audit_log where table_name = 'payments' and after ->> 'reference' = $1 and after ->> 'state' = 'settled'",
      [reference],
    );
    expect(log).toHaveLength(1);
  });

  test.each([
    ["less than was asked for", { amount: 99.99 }, "wrong_amount"],
    ["more than was asked for", { amount: 100.01 }, "wrong_amount"],
    ["no amount", { amount: null }, "wrong_amount"],
    ["another currency", { amount: 100, currency: "NGN" }, "wrong_currency"],
    ["money that has gone back", { amount: 100, outcome: "reversed" }, "reversed"],
  ])("%s needs a decision, and counts for nothing until then", async (_title, response, reason) => {
    const { reference } = await openOnline(open(), id);
    await settleOnline(open(), reference, response);
    await settleOnline(open(), reference, { amount: 100 });
    expect(await paymentsOf(open(), id)).toEqual([`payment paystack 100.00 needs_decision ${reason}`]);
    expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 0, due: 100, needs_decision: true });
  });

  test("money for a cancelled, a deleted or a paid order needs a decision", async () => {
    const { reference } = await openOnline(open(), id);
    await setStatus("cancelled");
    await settleOnline(open(), reference, { amount: 100 });
    expect(await paymentsOf(open(), id)).toEqual(["payment paystack 100.00 needs_decision order_cancelled"]);

    id = await order(open(), customer, [[await addBook(open(), { price: 20 }), 1]]);
    const second = await openOnline(open(), id);
    await call("delete from public.orders where id = $1", id);
    await settleOnline(open(), second.reference, { amount: 20 });
    expect(await paymentsOf(open(), id)).toEqual(["payment paystack 20.00 needs_decision order_deleted"]);

    id = await order(open(), customer, [[await addBook(open(), { price: 20 }), 1]]);
    const third = await openOnline(open(), id);
    await payCash(5);
    await settleOnline(open(), third.reference, { amount: 20 });
    expect(await paymentsOf(open(), id)).toEqual([
      "payment cash 5.00 settled",
      "payment paystack 20.00 needs_decision more_than_due",
    ]);
    const list = await call("select order_number, reason, received_amount from public.admin_list_payments()");
    expect(list.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(["order_cancelled", "order_deleted", "more_than_due"]),
    );
  });

  test("two payments of one debt at once: one counts, one needs a decision", async () => {
    const first = await openOnline(open(), id);
    await settleOnline(open(), first.reference, { outcome: "failed" });
    const second = await openOnline(open(), id);
    await Promise.all(
      [first, second].flatMap(({ reference }) =>
        Array.from({ length: 5 }, () => settleOnline(open(), reference, { amount: 100 })),
      ),
    );
    expect(await paymentsOf(open(), id)).toEqual([
      "payment paystack 100.00 needs_decision more_than_due",
      "payment paystack 100.00 settled",
    ]);
    expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 100, due: 0, state: "paid" });
  });

  test("a refused payment may still succeed; a success is never taken back by a later word", async () => {
    const { reference } = await openOnline(open(), id);
    expect((await settleOnline(open(), reference, { outcome: "failed" }))?.state).toBe("failed");
    expect((await settleOnline(open(), reference, { amount: 100 }))?.state).toBe("settled");
    for (const outcome of ["failed", "pending", "reversed"])
      expect((await settleOnline(open(), reference, { outcome, amount: 100 }))?.state).toBe("settled");
  });

  test("an abandoned payment is checked less and less often, given up after two days, and counted if it comes later", async () => {
    await claimAll();
    const payment = await openOnline(open(), id);
    expect(await claimAll()).toEqual([]);
    await ago(payment.id, "1 minute");
    expect(await claimAll()).toMatchObject([{ id: payment.id, kind: "payment", amount: 100 }]);
    expect(await claimAll()).toEqual([]);
    const wait = async () => {
      const [row] = await open().query<{ minutes: number }>(
        "select round(extract(epoch from check_at - now()) / 60)::int as minutes from public.payments where id = $1",
        [payment.id],
      );
      return row?.minutes;
    };
    await ago(payment.id, "2 hours");
    await claimAll();
    expect(await wait()).toBe(30);
    await ago(payment.id, "1 day");
    await claimAll();
    expect(await wait()).toBe(60);
    expect((await settleOnline(open(), payment.reference, { outcome: "pending" }))?.state).toBe("open");
    await ago(payment.id, "49 hours");
    expect((await settleOnline(open(), payment.reference, { outcome: "pending" }))?.state).toBe("failed");
    expect(await paymentsOf(open(), id)).toEqual(["payment paystack 100.00 failed not_completed"]);
    expect((await settleOnline(open(), payment.reference, { amount: 100 }))?.state).toBe("settled");
  });

  test("a payment is checked in time although a clock was ahead when its pause was written", async () => {
    await claimAll();
    const { id: payment } = await openOnline(open(), id);
    await open().query("update public.payments set check_at = now() + interval '20 years' where id = $1", [
      payment,
    ]);
    expect((await claimAll()).map((check) => check.id)).toEqual([payment]);
  });

  test("someone else's reference is ignored; money for a lost one of the shop's is recorded", async () => {
    expect(await settleOnline(open(), "T685312322670591", { amount: 5 })).toBeNull();
    expect(await settleOnline(open(), "7-0000000000000000", { outcome: "failed" })).toBeNull();
    const nothing = "settle_payment(null, null, null, null, null, null)";
    expect(await callAsServer(open(), nothing)).toBeNull();
    expect(await callAsServer(open(), nothing.replace("null, null", "null, 'success'"))).toBeNull();
    const [found] = await open().query("select number from public.orders where id = $1", [id]);
    const lost = `${found?.number}-${randomUUID().replaceAll("-", "").slice(0, 16)}`;
    await Promise.all(Array.from({ length: 5 }, () => settleOnline(open(), lost, { amount: 100 })));
    expect(await paymentsOf(open(), id)).toEqual([
      "payment paystack 100.00 needs_decision unknown_reference",
    ]);
    const nobodys = "999999999-00000000000000aa";
    expect(await settleOnline(open(), nobodys, { amount: 8 })).toEqual({
      state: "needs_decision",
      order_id: null,
    });
  });

  test("a payment without Paystack's number counts only once the number is known", async () => {
    const { reference } = await openOnline(open(), id);
    for (const outcome of ["success", "reversed"])
      expect(await settleOnline(open(), reference, { outcome, amount: 100, id: null })).toEqual({
        state: "open",
        order_id: id,
      });
    expect(await settleOnline(open(), reference, { amount: 100 })).toMatchObject({ state: "settled" });
    const [row] = await open().query("select number from public.orders where id = $1", [id]);
    expect(
      await settleOnline(open(), `${row?.number}-00000000000000ab`, { amount: 100, id: null }),
    ).toBeNull();
  });

  describe("staff decide", () => {
    const doubtful = async (currency = "GHS", amount = 60) => {
      const payment = await openOnline(open(), id);
      await settleOnline(open(), payment.reference, { amount, currency });
      return payment;
    };

    test("staff count a payment: what was received is then paid, and can be refunded", async () => {
      const payment = await doubtful();
      await call("select public.decide_payment($1, 'count', 'He will bring the rest')", payment.id);
      expect(await summaryOf(open(), customer, id)).toMatchObject({
        paid: 60,
        due: 40,
        needs_decision: false,
      });
      await refundOnline(open(), admin, payment.id, 60);
    });

    test("staff set a payment aside, with a reason, and only once", async () => {
      const payment = await doubtful();
      const decide = (decision: string, note: string | null) =>
        call("select public.decide_payment($1, $2, $3)", payment.id, decision, note);
      expect((await refusalOf(decide("set_aside", null))).detail).toMatchObject({ field: "note" });
      expect((await refusalOf(decide("burn", "x"))).detail).toMatchObject({ field: "decision" });
      await decide("set_aside", "Given back on Paystack's page");
      expect((await refusalOf(decide("count", null))).detail).toMatchObject({ code: "payment_is_final" });
      expect(await summaryOf(open(), customer, id)).toMatchObject({
        paid: 0,
        due: 100,
        needs_decision: false,
      });
    });

    test("money in another currency, or for a deleted order, can't be counted", async () => {
      const payment = await doubtful("NGN", 100);
      const count = () => call("select public.decide_payment($1, 'count')", payment.id);
      expect((await refusalOf(count())).detail).toMatchObject({ code: "other_currency" });

      id = await order(open(), customer, [[await addBook(open(), { price: 20 }), 1]]);
      const second = await openOnline(open(), id);
      await call("delete from public.orders where id = $1", id);
      await settleOnline(open(), second.reference, { amount: 20 });
      const countSecond = () => call("select public.decide_payment($1, 'count')", second.id);
      expect((await refusalOf(countSecond())).detail).toMatchObject({ code: "order_not_found" });
      await call("select public.restore_order($1)", id);
      await countSecond();
      expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 20, state: "paid" });
    });
  });

  describe("refunds", () => {
    test("are open until Paystack has made them, and never more than was paid", async () => {
      const payment = await payOnline(open(), id, 100);
      const refund = await refundOnline(open(), admin, payment.id, 40);
      expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 100 });
      const more = await refusalOf(refundOnline(open(), admin, payment.id, 60.01));
      expect(more.detail).toEqual({ code: "more_than_paid", most: 60 });
      for (let n = 0; n < 3; n += 1)
        expect(await refundState(payment.reference, refund, "77", 40, "processed")).toBe("settled");
      expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 60, due: 40, state: "part_paid" });
      await refundOnline(open(), admin, payment.id, 60);
    });

    test("requested by many at once refund no more than was paid", async () => {
      const payment = await payOnline(open(), id, 100);
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => refundOnline(open(), admin, payment.id, 30)),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    });

    test("that Paystack refuses leave the money paid, and can be tried again", async () => {
      const payment = await payOnline(open(), id, 100);
      const refund = await refundOnline(open(), admin, payment.id, 100);
      expect(await refundState(payment.reference, refund, null, 100, "failed")).toBe("failed");
      expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 100 });
      await refundOnline(open(), admin, payment.id, 100);
    });

    test("made on Paystack's own pages are found and counted once", async () => {
      const payment = await payOnline(open(), id, 100);
      const found = () => refundState(payment.reference, null, `p-${payment.id}`, 25, "processed");
      await Promise.all([found(), found(), found()]);
      expect(await paymentsOf(open(), id)).toEqual([
        "payment paystack 100.00 settled",
        "refund paystack -25.00 settled",
      ]);
    });

    test("refunds of money that needs a decision count only if the money does", async () => {
      const doubtful = async () => {
        id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
        const payment = await openOnline(open(), id);
        await settleOnline(open(), payment.reference, { amount: 60 });
        const refund = () => refundState(payment.reference, null, `d-${payment.id}`, 60, "processed");
        expect(await refund()).toBe("open");
        return { payment, refund };
      };
      const counted = await doubtful();
      await call("select public.decide_payment($1, 'count')", counted.payment.id);
      expect(await counted.refund()).toBe("settled");
      expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 0, due: 100 });
      const aside = await doubtful();
      await call("select public.decide_payment($1, 'set_aside', 'Given back')", aside.payment.id);
      expect(await aside.refund()).toBe("failed");
      expect(await summaryOf(open(), customer, id)).toMatchObject({ paid: 0, due: 100 });
    });

    test("are handed to one worker at a time, again after two minutes, with Paystack's number once it is known", async () => {
      await claimAll();
      const payment = await payOnline(open(), id, 100);
      const refund = await refundOnline(open(), admin, payment.id, 40);
      const claims = await Promise.all([claim(), claim(), claim()]);
      expect(claims.filter(Boolean)).toMatchObject([
        { id: refund, kind: "refund", amount: 40, reference: payment.reference, provider_id: null },
      ]);
      await refundState(payment.reference, refund, "78", 40, "pending");
      await ago(refund, "5 minutes");
      expect(await claim()).toMatchObject({ id: refund, provider_id: "78" });
    });

    test("refunds of what was paid by hand, or not at all, are not requested from Paystack", async () => {
      const [row] = await call(
        "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', 10, '2026-11-01') as id",
        id,
      );
      const refused = await refusalOf(refundOnline(open(), admin, String(row?.id), 5));
      expect(refused.detail).toMatchObject({ code: "not_by_paystack" });
      const opened = await openOnline(open(), id);
      expect((await refusalOf(refundOnline(open(), admin, opened.id, 5))).detail).toMatchObject({
        code: "not_by_paystack",
      });
    });
  });
});
