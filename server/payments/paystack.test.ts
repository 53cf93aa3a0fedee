import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { connectPaystack } from "./paystack.ts";
import { ProviderRefusal, ReferenceUsed } from "./provider.ts";

const secretKey = "sk_test_0123456789abcdef";
const paystack = connectPaystack({ secretKey, url: "https://api.paystack.example" });
const ownId = "0b5c1f1e-0000-4000-8000-0000000000f1";
const amount = pesewasFromCedis(100);

type Asked = [method: string | undefined, address: string, body: unknown, init: RequestInit];
const nothing: Asked = [undefined, "", undefined, {}];
let requested: Asked[];
/** What Paystack answers to the next requests. */
let answers: Response[];
beforeEach(() => {
  requested = [];
  answers = [];
  const fake = vi.spyOn(globalThis, "fetch").mockImplementation(async (address, init = {}) => {
    requested.push([init.method, String(address), init.body && JSON.parse(String(init.body)), init]);
    return answers.shift() ?? Response.error();
  });
  onTestFinished(() => fake.mockRestore());
});

const answer = (body: unknown, status = 200) =>
  answers.push(new Response(typeof body === "string" ? body : JSON.stringify(body), { status }));
const done = (data: unknown) => answer({ status: true, message: "Done", data });
const refuse = (message: string) => answer({ status: false, message }, 400);
const fault = (message: string) =>
  expect.objectContaining({ name: "ProviderFault", message, code: `Paystack: ${message}` });

const open = () =>
  paystack.open({
    reference: "1042-a",
    amount,
    email: "ama@school.example",
    returnUrl: "https://shop/",
  });

describe("Opening a payment", () => {
  test("requests the amount in pesewas with the secret key, follows no redirect, and returns the URL", async () => {
    done({ authorization_url: "https://checkout.paystack.example/x" });
    expect(await open()).toBe("https://checkout.paystack.example/x");
    const [method, address, body, { headers, redirect, signal }] = requested[0] ?? nothing;
    expect([method, address]).toEqual(["POST", "https://api.paystack.example/transaction/initialize"]);
    expect(body).toEqual({
      reference: "1042-a",
      amount: 10_000,
      email: "ama@school.example",
      currency: "GHS",
      callback_url: "https://shop/",
    });
    expect(headers).toEqual({ authorization: `Bearer ${secretKey}`, "content-type": "application/json" });
    expect([redirect, signal?.aborted]).toEqual(["error", false]);
  });

  test("distinguishes a reference that is already in use from a refusal", async () => {
    refuse("Duplicate Transaction Reference");
    await expect(open()).rejects.toBeInstanceOf(ReferenceUsed);
    answer({ status: false }, 400);
    await expect(open()).rejects.toMatchObject({ name: "ProviderRefusal" });
  });

  test.each([{}, null, { authorization_url: "" }, { authorization_url: "javascript:alert(1)//https://x" }])(
    "fails without a URL that is safe to open: %j",
    async (data) => {
      done(data);
      await expect(open()).rejects.toEqual(fault("no address"));
    },
  );
});

describe("The outcome is unknown", () => {
  test.each([
    [500, { status: false, message: "Down" }, "status 500"],
    [401, { status: false, message: "Invalid key" }, "the secret key is refused"],
    [429, { status: false, message: "Too many" }, "status 429"],
    [200, "<h1>Maintenance</h1>", "status 200"],
    [200, null, "status 200"],
  ])("after the response %d %j", async (status, body, message) => {
    answer(body, status);
    await expect(open()).rejects.toEqual(fault(message));
  });
});

describe("A payment's verdict", () => {
  const paid = {
    reference: "1042/a",
    status: "success",
    amount: 10_000,
    currency: "GHS",
    id: 7,
    paid_at: null,
  };
  const verdict = (others: object) => {
    done({ ...paid, ...others });
    return paystack.verify("1042/a");
  };

  test("has the outcome, the amount, the day and Paystack's id", async () => {
    expect(await verdict({ paid_at: "2026-11-20T23:59:00.000Z" })).toEqual({
      outcome: "success",
      amount: 10_000,
      currency: "GHS",
      paidOn: "2026-11-20",
      id: "7",
    });
    expect(requested[0]?.slice(0, 3)).toEqual([
      "GET",
      "https://api.paystack.example/transaction/verify/1042%2Fa",
      undefined,
    ]);
  });

  test.each([
    ["success", "success"],
    ["failed", "failed"],
    ["reversed", "reversed"],
    ["abandoned", "pending"],
    ["ongoing", "pending"],
    [undefined, "pending"],
  ])("a payment of the status %s is %s", async (status, outcome) => {
    expect((await verdict({ status })).outcome).toBe(outcome);
  });

  test.each(["success", "reversed"])(
    "a payment of the status %s is an error without Paystack's id",
    async (status) => {
      for (const id of [undefined, null, "", {}, true])
        await expect(verdict({ status, id })).rejects.toEqual(fault("no id"));
      expect((await verdict({ status, id: 0 })).id).toBe("0");
    },
  );

  test("ignores values that do not match Paystack's documentation", async () => {
    const odd = { amount: 99.5, currency: 7, paidAt: "on 2026-11-20" };
    const nothing = { amount: null, currency: null, paidOn: null };
    expect(await verdict(odd)).toMatchObject(nothing);
    expect(await verdict({ amount: "10000", currency: "" })).toMatchObject(nothing);
    for (const id of [null, {}]) expect(await verdict({ status: "ongoing", id })).toMatchObject({ id: null });
    const other = { currency: "x".repeat(50), id: "T7", paidAt: "2026-11-19T08:00:00.000Z" };
    expect(await verdict({ ...other, paid_at: "" })).toMatchObject({
      currency: "x".repeat(10),
      id: "T7",
      paidOn: "2026-11-19",
    });
  });

  test("a response about another transaction is an error", async () => {
    await expect(verdict({ reference: "1043-b" })).rejects.toEqual(fault("another transaction"));
    done(null);
    await expect(paystack.verify("1042-a")).rejects.toEqual(fault("another transaction"));
  });

  test("is open while Paystack does not know the payment", async () => {
    refuse("Transaction reference not found.");
    expect(await paystack.verify("1042-a")).toEqual({
      outcome: "pending",
      amount: null,
      currency: null,
      paidOn: null,
      id: null,
    });
  });
});

describe("A refund", () => {
  const refund = () => paystack.refund({ ownId, reference: "1042-a", amount });

  test("is requested with the shop's own id, by which it can be found again", async () => {
    done({ id: 9, amount: 10_000, status: "pending" });
    expect(await refund()).toEqual({ id: "9", ownId, amount: 10_000, outcome: "pending" });
    expect(requested[0]?.slice(0, 3)).toEqual([
      "POST",
      "https://api.paystack.example/refund",
      { transaction: "1042-a", amount: 10_000, currency: "GHS", merchant_note: ownId },
    ]);
    refuse("Transaction has not been completed");
    await expect(refund()).rejects.toBeInstanceOf(ProviderRefusal);
  });

  test.each([null, { amount: 10_000 }, { id: 9 }, { id: 9, amount: "10000" }])(
    "without an id or an amount (%j) is an error",
    async (data) => {
      done(data);
      await expect(refund()).rejects.toEqual(fault("no refund"));
    },
  );

  test("a refund in Paystack's list has its outcome, and the shop's id if it is the shop's", async () => {
    const listed = { id: 9, amount: 500, merchant_note: ownId };
    done([
      { ...listed, status: "processed" },
      { ...listed, status: "failed", merchant_note: "by hand" },
      { ...listed, status: "processing", merchant_note: null },
    ]);
    expect(await paystack.listRefunds("7")).toEqual([
      { id: "9", ownId, amount: 500, outcome: "processed" },
      { id: "9", ownId: null, amount: 500, outcome: "failed" },
      { id: "9", ownId: null, amount: 500, outcome: "pending" },
    ]);
    expect(requested[0]?.slice(0, 2)).toEqual([
      "GET",
      "https://api.paystack.example/refund?transaction=7&perPage=100",
    ]);
  });

  test("does not count as missing when the list could not be read", async () => {
    refuse("Transaction not found");
    await expect(paystack.listRefunds("7")).rejects.toEqual(fault("no list"));
    done({});
    await expect(paystack.listRefunds("7")).rejects.toEqual(fault("no list"));
    answer({ status: false, message: "Not now", data: [] });
    await expect(paystack.listRefunds("7")).rejects.toEqual(fault("no list"));
  });
});

describe("A webhook", () => {
  const read = (body: string, key = secretKey) => {
    const signature = createHmac("sha512", key).update(body).digest("hex");
    return paystack.readWebhook(Buffer.from(body), signature);
  };

  test.each([
    ['{"event":"charge.success","data":{"reference":"a"}}', { kind: "payment", reference: "a" }],
    ['{"event":"refund.failed","data":{"transaction_reference":"b"}}', { kind: "refund", reference: "b" }],
    ['{"event":"refund.processed","data":{"transaction_reference":"b"}}', { kind: "refund", reference: "b" }],
    ['{"event":"charge.failed","data":{"reference":"a","transaction_reference":"b"}}', null],
    ['{"event":"charge.success","data":{"reference":"","transaction_reference":"b"}}', null],
    ['{"event":"refund.failed","data":{"reference":"a"}}', null],
    ['{"event":"charge.refund.x","data":{"transaction_reference":"b"}}', null],
    ['{"event":"charge.success"}', null],
    ["null", null],
  ])("signed by Paystack is read: %s", (body, message) => expect(read(body)).toEqual(message));

  test("a webhook with another signature is ignored, and a malformed one is an error", () => {
    const body = '{"event":"charge.success","data":{"reference":"a"}}';
    expect(read(body, "sk_test_other")).toBeUndefined();
    const signature = createHmac("sha512", secretKey).update(body).digest("hex");
    for (const wrong of ["", "0".repeat(128), `${signature}00`, `x${signature}`, signature.slice(0, 126)])
      expect(paystack.readWebhook(Buffer.from(body), wrong)).toBeUndefined();
    expect(paystack.readWebhook(Buffer.from(body), signature.toUpperCase())).toBeDefined();
    expect(() => read("not JSON")).toThrow(SyntaxError);
  });
});
