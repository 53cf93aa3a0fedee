import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { log } from "#server/lib/log.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openPayingShop, type PayingShop } from "#tests/support/paying-shop.ts";
import { paystackKey } from "#tests/support/paystack.ts";

let shop: PayingShop;
const lines: string[] = [];
beforeAll(async () => {
  for (const level of ["warn", "error", "info"] as const)
    vi.spyOn(log, level).mockImplementation((...words) => void lines.push(JSON.stringify(words)));
  shop = await openPayingShop();
});
afterAll(() => shop?.stop());

const until = (check: () => Promise<void>) => eventually(check, { timeout: 20_000, interval: 50 });
const paid = async (id: string) =>
  expect(await shop.summaryOf(id)).toMatchObject({ paid: 100, state: "paid" });

describe("Pay now", () => {
  test("opens a transaction for what the database says is due, and sends the customer there", async () => {
    const order = await shop.newOrder();
    const { status, body } = await shop.pay(order.id, order.customer);
    expect(status).toBe(200);
    const transaction = shop.paystack.transactions.get(String(body.address?.split("/").at(-1)));
    expect(transaction).toMatchObject({
      amount: 10_000,
      currency: "GHS",
      // Not the recipient's email: Paystack sends its receipt to it.
      email: `${order.customer}@example.com`,
      callback: `${shop.url}/payments/return`,
    });
  });

  test("is for the order's customer alone", async () => {
    const order = await shop.newOrder();
    const stranger = await shop.api.newPerson();
    expect((await shop.pay(order.id)).status).toBe(401);
    expect((await shop.pay(order.id, stranger)).status).toBe(404);
    expect((await shop.pay("1%20or%201=1", stranger)).status).toBe(404);
    expect((await shop.pay(`${order.id}&select=*`, order.customer)).status).toBe(404);
    const forged = await fetch(`${shop.url}/payments/orders/${order.id}`, {
      method: "POST",
      headers: { authorization: `Bearer ${shop.api.tokenOf(order.customer)}x` },
    });
    expect(forged.status).toBe(401);
    expect(await shop.rowsOf(order.id)).toEqual([]);
  });

  test("says why nothing is to be paid, in the database's words", async () => {
    const order = await shop.newOrder();
    await shop.api.sql.query("update public.orders set status = 'cancelled' where id = $1::text::uuid", [
      order.id,
    ]);
    expect(await shop.pay(order.id, order.customer)).toEqual({
      status: 409,
      body: {
        code: "PT409",
        message: "This order is cancelled.",
        details: '{"code":"order_cancelled"}',
      },
    });
  });

  test("200 concurrent clicks on Pay now open one transaction and all lead to it", {
    tags: "long",
  }, async () => {
    const order = await shop.newOrder();
    const all = await Promise.all(Array.from({ length: 200 }, () => shop.pay(order.id, order.customer)));
    const addresses = all.flatMap(({ body }) => body.address ?? []);
    expect(new Set(addresses).size).toBe(1);
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 open"]);
  });

  test("Pay now clicked again before Paystack has responded to the first click opens no second transaction", async () => {
    const order = await shop.newOrder();
    shop.paystack.failNext("POST /transaction/initialize", "done, and answered after half a second");
    const first = shop.pay(order.id, order.customer);
    await pause(200);
    const second = await shop.pay(order.id, order.customer);
    expect(second.body.address).toBe((await first).body.address);
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 open"]);
  });

  test("Pay now clicked again after paying says that it is paid", async () => {
    const order = await shop.newOrder();
    shop.paystack.approve(await shop.payFor(order));
    expect(await shop.pay(order.id, order.customer)).toEqual({ status: 200, body: { state: "settled" } });
    await paid(order.id);
  });

  test("Pay now clicked again after a refusal opens another one", async () => {
    const order = await shop.newOrder();
    const first = await shop.payFor(order);
    shop.paystack.refuse(first);
    expect(await shop.payFor(order)).not.toBe(first);
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 failed declined", "payment 100.00 open"]);
  });

  test.each(["500", "silence"] as const)(
    "tells the customer when Paystack answers with %s",
    async (fault) => {
      const order = await shop.newOrder();
      shop.paystack.failNext("POST /transaction/initialize", fault);
      const { status, body } = await shop.pay(order.id, order.customer);
      expect(status).toBe(502);
      expect(body.message).toContain("You haven't been charged.");
      expect((await shop.pay(order.id, order.customer)).body.address).toContain("/pay/");
    },
  );

  test("Pay now continues when Paystack opened the payment and its response was lost", async () => {
    const order = await shop.newOrder();
    shop.paystack.failNext("POST /transaction/initialize", "done, then 500");
    expect((await shop.pay(order.id, order.customer)).status).toBe(502);
    expect((await shop.pay(order.id, order.customer)).body.address).toContain("/pay/");
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 failed declined", "payment 100.00 open"]);
  });
});

describe("A payment counts once,", () => {
  const news = {
    message: (reference: string) => shop.hear("charge.success", reference),
    return: (reference: string) => shop.comeBack(reference),
  };

  test.each([
    ["when the message comes before the customer", [news.message, news.return]],
    ["when the customer comes before the message", [news.return, news.message]],
    ["when only the message comes", [news.message]],
    ["when only the customer comes", [news.return]],
    ["when the message comes three times", [news.message, news.message, news.message]],
  ])("%s", async (_title, order) => {
    const placed = await shop.newOrder();
    const reference = await shop.payFor(placed);
    shop.paystack.approve(reference);
    for (const come of order) await come(reference);
    await paid(placed.id);
    expect(await shop.rowsOf(placed.id)).toEqual(["payment 100.00 settled"]);
  });

  test("the worker checks a payment when neither a webhook nor the customer comes back", async () => {
    const order = await shop.newOrder();
    shop.paystack.approve(await shop.payFor(order));
    await shop.makeDue();
    await until(() => paid(order.id));
  });

  test("when 50 messages come at once", async () => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    shop.paystack.approve(reference);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => shop.hear("charge.success", reference)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 settled"]);
    await paid(order.id);
  });

  test("when mobile money is approved only after the customer has come back", async () => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    expect(await shop.comeBack(reference)).toBe(`/order-confirmation/${order.id}`);
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 open"]);
    await shop.makeDue();
    await until(async () => expect(shop.paystack.asked.at(-1)).toContain(reference));
    shop.paystack.approve(reference);
    await shop.makeDue();
    await until(() => paid(order.id));
  });

  test("a payment that is refused or abandoned does not count", async () => {
    const [refused, abandoned] = [await shop.newOrder(), await shop.newOrder()];
    const [one, other] = [await shop.payFor(refused), await shop.payFor(abandoned)];
    shop.paystack.refuse(one);
    expect(await shop.comeBack(one)).toBe(`/order-confirmation/${refused.id}`);
    await shop.comeBack(other);
    expect(await shop.rowsOf(refused.id)).toEqual(["payment 100.00 failed declined"]);
    expect(await shop.rowsOf(abandoned.id)).toEqual(["payment 100.00 open"]);
  });

  test.each([
    ["less money", { amount: 9_999 }, "wrong_amount"],
    ["another currency", { currency: "NGN" }, "wrong_currency"],
  ])("a payment of %s than was due needs a decision", async (_title, received, reason) => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    shop.paystack.approve(reference, received);
    await shop.hear("charge.success", reference);
    expect(await shop.rowsOf(order.id)).toEqual([`payment 100.00 needs_decision ${reason}`]);
    expect((await shop.pay(order.id, order.customer)).body.details).toContain("payment_being_checked");
  });

  test("a webhook is refused, and sent again, when Paystack does not respond to the check", async () => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    shop.paystack.approve(reference);
    for (const fault of ["500", "silence"] as const) {
      shop.paystack.failNext(`GET /transaction/verify/${reference}`, fault);
      expect(await shop.hear("charge.success", reference)).toBe(503);
    }
    expect(await shop.hear("charge.success", reference)).toBe(200);
    await paid(order.id);
  });
});

describe("A message", () => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/payments/paystack`, { method: "POST", headers, body: body as string });

  test.each([
    ["no signature", ""],
    ["a wrong one", "0".repeat(128)],
    ["one that is too short", "ab"],
    ["one of other letters", "z".repeat(128)],
  ])("a webhook with %s is refused, without a query to Paystack", async (_title, signature) => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    shop.paystack.approve(reference);
    const before = shop.paystack.asked.length;
    expect(await shop.paystack.send(shop.url, "charge.success", reference, { signature })).toBe(401);
    expect(shop.paystack.asked.length).toBe(before);
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 open"]);
  });

  test("whose body was changed on the way is refused", async () => {
    const body = JSON.stringify({ event: "charge.success", data: { reference: "1-aaaaaaaaaaaaaaaa" } });
    expect((await post(body, { "x-paystack-signature": "1".repeat(128) })).status).toBe(401);
  });

  test.each([
    "",
    "[]",
    "null",
    "7",
    "{}",
    '{"event":"charge.success"}',
    '{"event":"charge.success","data":{"reference":7}}',
    '{"event":"transfer.success","data":{"reference":"x"}}',
    "not json",
  ])("that is signed and says %j does no harm", async (body) => {
    const status = await shop.paystack.send(shop.url, "", "", { body });
    expect([200, 400]).toContain(status);
  });

  test("says nothing by itself: a lie about an open payment leaves it open", async () => {
    const order = await shop.newOrder();
    expect(await shop.hear("charge.success", await shop.payFor(order))).toBe(200);
    expect(await shop.rowsOf(order.id)).toEqual(["payment 100.00 open"]);
  });

  test("a webhook about another shop's transaction is ignored", async () => {
    shop.paystack.transactions.set("T1", {
      id: 1,
      reference: "T1",
      status: "success",
      amount: 5,
      currency: "GHS",
      email: "x@y.example",
      callback: "",
    });
    expect(await shop.hear("charge.success", "T1")).toBe(200);
    expect(await shop.hear("charge.success", "never heard of")).toBe(200);
  });

  test("a webhook of more than 64 kB is not read, and other methods are pages like any other", async () => {
    expect((await post("x".repeat(70_000))).status).toBe(413);
    expect((await fetch(`${shop.url}/payments/paystack`)).status).toBe(404);
  });
});

describe("Coming back", () => {
  test("a return with a reference that is not the shop's leads to the orders, without a query to Paystack", async () => {
    const before = shop.paystack.asked.length;
    for (const reference of ["", "T1", "1-0000000000000000", "../../etc", "x".repeat(5_000)])
      expect(await shop.comeBack(encodeURIComponent(reference))).toBe("/orders");
    expect(shop.paystack.asked.length).toBe(before);
  });

  test("a return while Paystack is down still leads to the order, and the worker checks later", async () => {
    const order = await shop.newOrder();
    const reference = await shop.payFor(order);
    shop.paystack.approve(reference);
    shop.paystack.failNext(`GET /transaction/verify/${reference}`, "500");
    expect(await shop.comeBack(reference)).toBe(`/order-confirmation/${order.id}`);
    await shop.makeDue();
    await until(() => paid(order.id));
  });
});

test("The log has no key, address, reference or amount", () => {
  expect(lines.length).toBeGreaterThan(3);
  const said = lines.join("\n");
  for (const secret of [paystackKey, "ama@school.example", "10000", "/pay/"])
    expect(said).not.toContain(secret);
  expect(said).not.toMatch(/\d+-[0-9a-f]{16}/);
});
