import { afterEach, expect, test, vi } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { createPaymentService } from "./payment-service.ts";
import type { PaymentProvider } from "./provider.ts";

afterEach(() => void vi.restoreAllMocks());

const check = {
  id: "0a5b1f4e-6f5f-4d0b-9c58-0d4a3e0f7c11",
  kind: "refund",
  amount: 40,
  reference: "7-0123456789abcdef",
  provider_id: null,
  transaction_id: "4099260516",
};

/** A worker's look at one refund; `lasting` happens while Paystack is queried for its list. */
async function sentAfter(lasting: () => void): Promise<number> {
  const refund = vi.fn(async () => ({
    id: "1",
    ownId: check.id,
    amount: 4_000 as Pesewas,
    outcome: "pending" as const,
  }));
  const listRefunds = async () => {
    lasting();
    return [];
  };
  const provider = { refund, listRefunds } as Partial<PaymentProvider> as PaymentProvider;
  const call = async (name: string) => (name === "claim_payment_check" ? check : null);
  await createPaymentService({ provider, call, siteUrl: "http://shop.example" }).checkNext();
  return refund.mock.calls.length;
}

test("A refund that is not on Paystack's list is sent", async () => {
  expect(await sentAfter(() => {})).toBe(1);
});

test.each([
  ["time of day", () => vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000)],
  ["running time", () => vi.spyOn(performance, "now").mockReturnValue(performance.now() + 61_000)],
])(
  "A worker that was held up for a minute by the %s leaves the refund to the next one, which may be sending it",
  async (_title, hold) => {
    expect(await sentAfter(hold)).toBe(0);
  },
);
