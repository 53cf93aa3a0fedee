import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { log } from "#server/lib/log.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openPayingShop, type PayingShop } from "#tests/support/paying-shop.ts";

let shop: PayingShop;
let admin: string;
beforeAll(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => {});
  shop = await openPayingShop();
  admin = await shop.api.newPerson("admin");
});
afterAll(() => shop?.stop());

const until = (check: () => Promise<void>) => eventually(check, { timeout: 20_000, interval: 50 });

const refund = (payment: string, amount: number, id = randomUUID()) =>
  shop.api.ask("/rest/v1/rpc/refund_payment", {
    as: admin,
    body: { _refund_id: id, _payment_id: payment, _amount: amount },
  });

const madeOf = (reference: string) => shop.paystack.refunds.filter((each) => each.reference === reference);

test("A refund is sent once, and counts when Paystack has made it", async () => {
  const { id, payment, reference } = await shop.newPaidOrder();
  const refundId = randomUUID();
  expect((await refund(payment, 40, refundId)).status).toBe(200);
  expect((await refund(payment, 40, refundId)).status).toBe(200);
  await until(async () =>
    expect(madeOf(reference)).toMatchObject([{ amount: 4_000, merchant_note: refundId }]),
  );
  expect(await shop.rowsOf(id)).toContain("refund -40.00 open");
  shop.paystack.finishRefunds();
  expect(await shop.hear("refund.processed", reference)).toBe(200);
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 60, due: 40 });
  await shop.makeDue();
  expect(madeOf(reference)).toHaveLength(1);
});

test("Without a message the worker finds out", async () => {
  const { id, payment, reference } = await shop.newPaidOrder();
  await refund(payment, 100);
  await until(async () => expect(madeOf(reference)).toHaveLength(1));
  shop.paystack.finishRefunds();
  await shop.makeDue();
  await until(async () => expect(await shop.summaryOf(id)).toMatchObject({ paid: 0, due: 100 }));
});

test("A refund whose response was lost is not sent a second time", async () => {
  const { id, payment, reference } = await shop.newPaidOrder();
  shop.paystack.failNext("POST /refund", "done, then 500");
  await refund(payment, 40);
  await until(async () => expect(madeOf(reference)).toHaveLength(1));
  shop.paystack.finishRefunds();
  await shop.makeDue();
  await until(async () => expect(await shop.rowsOf(id)).toContain("refund -40.00 settled"));
  expect(madeOf(reference)).toHaveLength(1);
});

test.each(["500", "silence"] as const)("A refund that Paystack met with %s is sent later", async (fault) => {
  const { payment, reference } = await shop.newPaidOrder();
  shop.paystack.failNext("POST /refund", fault);
  await refund(payment, 40);
  await until(async () => {
    await shop.makeDue();
    expect(madeOf(reference)).toHaveLength(1);
  });
});

test("A refund that Paystack refuses has failed, and the money stays paid", async () => {
  const { id, payment, reference } = await shop.newPaidOrder();
  // Somebody was quicker on Paystack's own pages.
  shop.paystack.refundByHand(reference, 9_000);
  await refund(payment, 40);
  await until(async () => expect(await shop.rowsOf(id)).toContain("refund -40.00 failed declined"));
  shop.paystack.finishRefunds();
  await shop.hear("refund.processed", reference);
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 10, due: 90 });
});

test("A refund that fails at the bank has failed", async () => {
  const { id, payment, reference } = await shop.newPaidOrder();
  await refund(payment, 40);
  await until(async () => expect(madeOf(reference)).toHaveLength(1));
  shop.paystack.finishRefunds("failed");
  await shop.hear("refund.failed", reference);
  expect(await shop.rowsOf(id)).toContain("refund -40.00 failed declined");
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 100 });
});
