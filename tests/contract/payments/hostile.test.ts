import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { log } from "#server/lib/log.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openPayingShop, type PayingShop } from "#tests/support/paying-shop.ts";

let shop: PayingShop;
const lines: string[] = [];
beforeAll(async () => {
  vi.spyOn(log, "warn").mockImplementation((...words) => void lines.push(JSON.stringify(words)));
  shop = await openPayingShop();
});
afterAll(() => shop?.stop());

const until = (check: () => Promise<void>) => eventually(check, { timeout: 20_000, interval: 50 });
const send = (body: string) => shop.paystack.send(shop.url, "", "", { body });
const charge = (reference: unknown) => JSON.stringify({ event: "charge.success", data: { reference } });
const askedAbout = (reference: string) =>
  shop.paystack.asked.filter((each) => each.endsWith(`/verify/${reference}`)).length;

describe("A signed message", () => {
  test.each([
    ["half a character", charge("\ud800")],
    ["a zero byte", charge("1-00000000000000\u0000")],
    ["a path", charge("../../refund?perPage=1000")],
    ["60 kB", charge("1".repeat(60_000))],
    ["a list", charge(["1-0000000000000000"])],
  ])("a webhook with %s as its reference is accepted, and sends no request", async (_title, body) => {
    const before = shop.paystack.asked.length;
    expect(await send(body)).toBe(200);
    expect(shop.paystack.asked.length).toBe(before);
  });

  test.each([
    ["30,000 nested lists", `{"event":"charge.success","data":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
    ["30,000 lists that are not closed", "[".repeat(30_000)],
    ["a prototype", '{"__proto__":{"event":"charge.success","data":{"reference":"x"}},"data":{}}'],
  ])("that holds %s does no harm", async (_title, body) => {
    expect([200, 400]).toContain(await send(body));
  });

  test("a webhook from an earlier day changes nothing about a payment that has since been refunded", async () => {
    const { id, reference, payment } = await shop.newPaidOrder();
    const admin = await shop.api.newPerson("admin");
    const values = { _refund_id: randomUUID(), _payment_id: payment, _amount: 100 };
    await shop.api.ask("/rest/v1/rpc/refund_payment", { as: admin, body: values });
    await until(async () =>
      expect(shop.paystack.refunds.filter((each) => each.reference === reference)).toHaveLength(1),
    );
    shop.paystack.finishRefunds();
    for (const event of ["refund.processed", "charge.success", "refund.processed", "charge.success"])
      expect(await shop.hear(event, reference)).toBe(200);
    expect(await shop.rowsOf(id)).toEqual(["payment 100.00 settled", "refund -100.00 settled"]);
  });

  test("a webhook about an unknown payment is recorded, whatever its amount at Paystack", async () => {
    for (const [number, amount] of [
      [1, null],
      [2, 9e15],
      [3, -5],
    ] as const) {
      const reference = `${number}-${"a".repeat(16)}`;
      shop.paystack.transactions.set(reference, {
        id: number,
        reference,
        status: "success",
        amount: amount as number,
        currency: "GHS",
        email: "x@y.example",
        callback: "",
      });
      expect([reference, await shop.hear("charge.success", reference)]).toEqual([reference, 200]);
      const [row] = await shop.api.sql.query("select state from public.payments where reference = $1", [
        reference,
      ]);
      expect(row).toEqual({ state: "needs_decision" });
    }
  });
});

test("A message of more than 64 kB that does not say so is cut off", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (out) => (sent++ < 200 ? out.enqueue(new TextEncoder().encode("x".repeat(1_000))) : out.close()),
  });
  const request = { method: "POST", body, duplex: "half" } as RequestInit;
  expect((await fetch(`${shop.url}/payments/paystack`, request)).status).toBe(413);
});

test("A message signed with another key is refused, as after a change of keys; the worker finds the payment", async () => {
  const order = await shop.newOrder();
  const reference = await shop.payFor(order);
  shop.paystack.approve(reference);
  const body = charge(reference);
  const signature = createHmac("sha512", "sk_test_the_old_key").update(body).digest("hex");
  expect(await shop.paystack.send(shop.url, "", "", { body, signature })).toBe(401);
  await shop.makeDue();
  await until(async () => expect(await shop.summaryOf(order.id)).toMatchObject({ state: "paid" }));
});

test("Fifty webhooks and fifty returns at once query Paystack a few times, not a hundred", async () => {
  const order = await shop.newOrder();
  const reference = await shop.payFor(order);
  shop.paystack.approve(reference);
  shop.paystack.failNext(`GET /transaction/verify/${reference}`, "done, and answered after half a second");
  await Promise.all([
    ...Array.from({ length: 50 }, () => shop.hear("charge.success", reference)),
    ...Array.from({ length: 50 }, () => shop.comeBack(reference)),
  ]);
  expect(askedAbout(reference)).toBeLessThan(10);
  expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 settled"]);
});

test("A payment that is made during a query to Paystack counts with its webhook", async () => {
  const order = await shop.newOrder();
  const reference = await shop.payFor(order);
  shop.paystack.failNext(`GET /transaction/verify/${reference}`, "done, and answered after half a second");
  const before = shop.comeBack(reference);
  await until(async () => expect(askedAbout(reference)).toBe(1));
  shop.paystack.approve(reference);
  expect(await shop.hear("charge.success", reference)).toBe(200);
  await before;
  expect(await shop.summaryOf(order.id)).toMatchObject({ state: "paid" });
});

describe("Pay now", () => {
  test("Pay now clicked forty times at once queries Paystack a few times, and opens one page", async () => {
    const order = await shop.newOrder();
    const before = shop.paystack.asked.length;
    // So that the others are clicked while the first one waits for Paystack, however busy this machine is.
    shop.paystack.failNext("POST /transaction/initialize", "done, and answered after half a second");
    const pressed = await Promise.all(Array.from({ length: 40 }, () => shop.pay(order.id, order.customer)));
    // The database serves some of them later: they are asked to try again.
    for (const { status } of pressed) expect([200, 503]).toContain(status);
    expect(new Set(pressed.flatMap(({ body }) => body.address ?? [])).size).toBe(1);
    expect(shop.paystack.asked.length - before).toBeLessThan(10);
  });

  test.each(["500", "silence"] as const)(
    "does not say that nobody was charged while Paystack answers with %s about an earlier payment",
    async (fault) => {
      const order = await shop.newOrder();
      const reference = await shop.payFor(order);
      shop.paystack.approve(reference);
      shop.paystack.failNext(`GET /transaction/verify/${reference}`, fault);
      const { status, body } = await shop.pay(order.id, order.customer);
      expect(status).toBe(502);
      expect(body.message).not.toContain("You haven't been charged");
      expect(body.message).toContain("If you have paid, please don't pay again.");
    },
  );

  test("Pay now after more than an hour checks the page that was opened before, and opens no other if it was paid", async () => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    await shop.api.sql.query(
      "update public.payments set created_at = created_at - interval '61 minutes', check_at = now() + interval '15 minutes' where reference = $1",
      [reference],
    );
    shop.paystack.approve(reference);
    expect(await shop.pay(order.id, order.customer)).toEqual({ status: 200, body: { state: "settled" } });
    expect(await shop.summaryOf(order.id)).toMatchObject({ state: "paid" });
  });
});

test("Thirty webhooks at once about a refund query Paystack a few times, and count it once", async () => {
  const { id, reference } = await shop.newPaidOrder();
  shop.paystack.refundByHand(reference, 4_000);
  shop.paystack.finishRefunds();
  const before = shop.paystack.asked.length;
  shop.paystack.failNext("GET /refund", "done, and answered after half a second");
  await Promise.all(Array.from({ length: 30 }, () => shop.hear("refund.processed", reference)));
  expect(shop.paystack.asked.length - before).toBeLessThan(10);
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 60 });
});

test("Of two staff who refund 60 of 100 at the same time, one is refused, and Paystack gets one request", async () => {
  const { id, reference, payment } = await shop.newPaidOrder();
  const staff = [await shop.api.newPerson("admin"), await shop.api.newPerson("admin")];
  const responses = await Promise.all(
    staff.map((as) =>
      shop.api.ask("/rest/v1/rpc/refund_payment", {
        as,
        body: { _refund_id: randomUUID(), _payment_id: payment, _amount: 60 },
      }),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const made = () => shop.paystack.refunds.filter((each) => each.reference === reference);
  await until(async () => expect(made()).toHaveLength(1));
  shop.paystack.finishRefunds();
  await shop.hear("refund.processed", reference);
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 40 });
});

test("A refund made in Paystack's dashboard at the same time makes the shop's own fail, and counts once", async () => {
  const { id, reference, payment } = await shop.newPaidOrder();
  shop.paystack.refundByHand(reference, 8_000);
  const admin = await shop.api.newPerson("admin");
  const values = { _refund_id: randomUUID(), _payment_id: payment, _amount: 50 };
  expect((await shop.api.ask("/rest/v1/rpc/refund_payment", { as: admin, body: values })).status).toBe(200);
  await until(async () => expect(await shop.rowsOf(id)).toContain("refund -50.00 failed declined"));
  shop.paystack.finishRefunds();
  await shop.hear("refund.processed", reference);
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 20 });
});

test("Coming back with an impossible reference sends no request and logs nothing", async () => {
  const before = lines.length;
  for (const reference of ["%00", "%ed%a0%80", "1-0000000000000000%0a", "%F0%9F%93%9A"])
    expect(await shop.comeBack(reference)).toBe("/orders");
  expect(lines.length).toBe(before);
});
