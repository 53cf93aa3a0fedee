import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { createPaymentService, EarlierPaymentUnknown } from "./payment-service.ts";
import {
  type PaymentProvider,
  type ProviderRefund,
  ProviderRefusal,
  ReferenceUsed,
  type Verdict,
} from "./provider.ts";

const pending: Verdict = { outcome: "pending", amount: null, currency: null, paidOn: null, id: null };
const payment = {
  id: "p1",
  reference: "1042-a",
  amount: 100,
  email: "ama@school.example",
  checkout_url: null,
  earlier: [] as string[],
};
const opened = { ...payment, checkout_url: "https://pay.example/a" };
const address = "https://pay.example/new";

type Answers = Record<string, unknown[]>;

/** A payment service over a provider and a database that respond in order, the last response for ever. */
function paymentService(database: Answers, provider: Partial<PaymentProvider> = {}) {
  const called: [name: string, values: unknown][] = [];
  const left = structuredClone(database);
  const call = async (name: string, values: unknown) => {
    called.push([name, values]);
    const responses = left[name] ?? [];
    return responses.length > 1 ? responses.shift() : (responses[0] ?? null);
  };
  const requested: [name: string, question: unknown][] = [];
  const noted =
    <Question, Answer>(name: string, method: (question: Question) => Promise<Answer>) =>
    (question: Question) => {
      requested.push([name, question]);
      return method(question);
    };
  const everything: PaymentProvider = {
    open: noted("open", provider.open ?? (async () => address)),
    verify: noted("verify", provider.verify ?? (async () => pending)),
    refund: noted("refund", provider.refund ?? (async () => Promise.reject(new Error("lost")))),
    listRefunds: noted("listRefunds", provider.listRefunds ?? (async () => [])),
    readWebhook: () => undefined,
  };
  const names = () => called.map(([name]) => name);
  const own = createPaymentService({ provider: everything, call, siteUrl: "https://shop.example" });
  return { ...own, called, names, requested };
}

describe("Paying", () => {
  test("opens the payment that the database says is due, and saves its URL", async () => {
    const { open, called, requested } = paymentService({ open_payment: [payment] });
    expect(await open("o1")).toEqual({ address });
    const email = "ama@school.example";
    const returnUrl = "https://shop.example/payments/return";
    expect(requested).toEqual([["open", { reference: "1042-a", amount: 10_000, email, returnUrl }]]);
    expect(called).toEqual([
      ["open_payment", { _order_id: "o1" }],
      ["note_checkout", { _payment_id: "p1", _checkout_url: address }],
    ]);
  });

  test("needs an email address, which the provider requires", async () => {
    const { open, requested } = paymentService({ open_payment: [{ ...payment, email: null }] });
    await expect(open("o1")).rejects.toThrow(new ProviderRefusal("The order has no email address"));
    expect(requested).toEqual([]);
  });

  test("continues the open payment", async () => {
    const { open, names, requested } = paymentService({
      open_payment: [opened],
      settle_payment: [{ state: "open" }],
    });
    expect(await open("o1")).toEqual({ address: opened.checkout_url });
    expect(requested).toEqual([["verify", "1042-a"]]);
    expect(names()).toEqual(["open_payment", "settle_payment"]);
  });

  test.each(["settled", "needs_decision"])("stops when the payment is already %s", async (state) => {
    const { open, names } = paymentService({ open_payment: [opened], settle_payment: [{ state }] });
    expect(await open("o1")).toEqual({ state });
    expect(names()).toEqual(["open_payment", "settle_payment"]);
  });

  test.each([{ state: "failed" }, null])(
    "opens another payment when the first has become %j",
    async (settled) => {
      const next = { ...payment, id: "p2", reference: "1042-b" };
      const { open, names, requested } = paymentService({
        open_payment: [opened, next],
        settle_payment: [settled],
      });
      expect(await open("o1")).toEqual({ address });
      expect(requested.at(-1)).toMatchObject(["open", { reference: "1042-b" }]);
      expect(names()).toEqual(["open_payment", "settle_payment", "open_payment", "note_checkout"]);
    },
  );

  test("checks pages that were opened earlier first, and stops when one was paid", async () => {
    const responses = { open_payment: [{ ...payment, earlier: ["1042-y", "1042-x"] }] };
    const settled = [{ state: "open" }, { state: "settled" }];
    const paid = paymentService({ ...responses, settle_payment: settled });
    expect(await paid.open("o1")).toEqual({ state: "settled" });
    expect(paid.requested).toEqual([
      ["verify", "1042-y"],
      ["verify", "1042-x"],
    ]);
    const unpaid = paymentService({ ...responses, settle_payment: [{ state: "open" }] });
    expect(await unpaid.open("o1")).toEqual({ address });
  });

  test("ends in doubt when it is unknown whether an earlier page was paid", async () => {
    const verify = () => Promise.reject(new Error("lost"));
    for (const found of [opened, { ...payment, earlier: ["1042-x"] }])
      await expect(paymentService({ open_payment: [found] }, { verify }).open("o1")).rejects.toThrow(
        EarlierPaymentUnknown,
      );
  });

  test("fails as the provider does", async () => {
    const lost = new Error("lost");
    const { open, names } = paymentService({ open_payment: [payment] }, { open: () => Promise.reject(lost) });
    await expect(open("o1")).rejects.toBe(lost);
    expect(names()).toEqual(["open_payment"]);
  });
});

describe("A payment that is already being opened", () => {
  const usedOnce = () => {
    const responses: (() => Promise<string>)[] = [() => Promise.reject(new ReferenceUsed())];
    return { open: async () => responses.shift()?.() ?? address };
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], fakeNodeBuiltins: true });
  });
  afterEach(() => void vi.useRealTimers());
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test("is polled five times a second until its URL is known", async () => {
    const { open, names } = paymentService({ open_payment: [payment, payment, payment, opened] }, usedOnce());
    const pressed = open("o1");
    await advance(200);
    expect(names()).toHaveLength(3);
    await advance(200);
    expect(await pressed).toEqual({ address: opened.checkout_url });
    expect(names()).toEqual(Array(4).fill("open_payment"));
  });

  test("is replaced when its URL has not been saved within three seconds", async () => {
    const next = { ...payment, id: "p2", reference: "1042-b" };
    const { open, names, called, requested } = paymentService(
      { open_payment: [...Array(17).fill(payment), next] },
      usedOnce(),
    );
    const pressed = open("o1");
    await advance(2_999);
    expect(new Set(names())).toEqual(new Set(["open_payment"]));
    await advance(1);
    expect(await pressed).toEqual({ address });
    expect(called.slice(17)).toEqual([
      ["settle_payment", { _reference: "1042-a", _outcome: "failed" }],
      ["open_payment", { _order_id: "o1" }],
      ["note_checkout", { _payment_id: "p2", _checkout_url: address }],
    ]);
    expect(requested.at(-1)).toMatchObject(["open", { reference: "1042-b" }]);
  });
});

describe("The provider's response", () => {
  test.each([
    [{ outcome: "success", amount: 12_050, currency: "GHS", paidOn: "2026-11-20", id: "7" }, 120.5],
    [{ ...pending, amount: 0 }, 0],
    [pending, null],
  ] as [Verdict, number | null][])("is left to the database to judge: %j", async (verdict, cedis) => {
    const found = { state: "open", order_id: "o1" };
    const { settle, called } = paymentService({ settle_payment: [found] }, { verify: async () => verdict });
    expect(await settle("1042-a")).toEqual(found);
    const { outcome, currency, paidOn, id } = verdict;
    const said = {
      _outcome: outcome,
      _amount: cedis,
      _currency: currency,
      _paid_on: paidOn,
      _provider_id: id,
    };
    expect(called).toEqual([["settle_payment", { _reference: "1042-a", ...said }]]);
  });

  test("a webhook about a payment's refunds is recorded once the payment has its id", async () => {
    const refund: ProviderRefund = {
      id: "9",
      ownId: null,
      amount: pesewasFromCedis(20),
      outcome: "processed",
    };
    const existing = paymentService(
      { find_payment: [{ transaction_id: "7" }] },
      { listRefunds: async () => [refund] },
    );
    await existing.settleRefunds("1042-a");
    expect(existing.requested).toEqual([["listRefunds", "7"]]);
    expect(existing.called).toEqual([
      ["find_payment", { _reference: "1042-a" }],
      ["settle_refund", record({ _provider_id: "9", _amount: 20, _outcome: "processed" })],
    ]);
    for (const found of [{ transaction_id: null }, null]) {
      const { settleRefunds, requested } = paymentService({ find_payment: [found] });
      await settleRefunds("1042-a");
      expect(requested).toEqual([]);
    }
  });
});

const record = (others: object) => ({ _reference: "1042-a", _refund_id: null, ...others });

describe("The next check that is due", () => {
  const check = {
    id: "r1",
    kind: "refund",
    amount: 20,
    reference: "1042-a",
    provider_id: null,
    transaction_id: "7",
  };
  const queued: ProviderRefund = { id: "9", ownId: "r1", amount: pesewasFromCedis(20), outcome: "pending" };
  const recorded = record({ _refund_id: "r1", _provider_id: "9", _amount: 20, _outcome: "pending" });

  test("is nothing, or a payment to look up", async () => {
    const none = paymentService({ claim_payment_check: [null] });
    expect(await none.checkNext()).toBe(false);
    const payment = paymentService({ claim_payment_check: [{ ...check, kind: "payment" }] });
    expect(await payment.checkNext()).toBe(true);
    expect([payment.requested, payment.names()]).toEqual([
      [["verify", "1042-a"]],
      ["claim_payment_check", "settle_payment"],
    ]);
  });

  test("is a refund to send, if it is not in the list", async () => {
    const other = { ...queued, id: "8", ownId: "r0" };
    const { checkNext, called, requested } = paymentService(
      { claim_payment_check: [check] },
      { listRefunds: async () => [other], refund: async () => queued },
    );
    expect(await checkNext()).toBe(true);
    expect(requested).toEqual([
      ["listRefunds", "7"],
      ["refund", { ownId: "r1", reference: "1042-a", amount: 2_000 }],
    ]);
    expect(called.at(-1)).toEqual(["settle_refund", recorded]);
  });

  test.each([
    ["is in the list", {}, [queued], ["listRefunds"]],
    ["has a number", { provider_id: "9" }, [], ["listRefunds"]],
    ["is of a payment without a number", { transaction_id: null }, [], []],
  ])("sends no refund that %s", async (_, others, list, questions) => {
    const { checkNext, requested } = paymentService(
      { claim_payment_check: [{ ...check, ...others }] },
      { listRefunds: async () => list },
    );
    expect(await checkNext()).toBe(true);
    expect(requested.map(([name]) => name)).toEqual(questions);
  });

  test("records a refund as failed only when the provider refuses it", async () => {
    const refused = paymentService(
      { claim_payment_check: [check] },
      { refund: () => Promise.reject(new ProviderRefusal()) },
    );
    expect(await refused.checkNext()).toBe(true);
    expect(refused.called.at(-1)).toEqual([
      "settle_refund",
      { ...recorded, _provider_id: null, _outcome: "failed" },
    ]);
    const lost = paymentService({ claim_payment_check: [check] });
    await expect(lost.checkNext()).rejects.toThrow("lost");
    expect(lost.names()).toEqual(["claim_payment_check"]);
  });
});
