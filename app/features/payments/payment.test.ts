import { describe, expect, test } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { isAwaited, type PaymentRow, paymentDay, paymentName, shownPayments } from "./payment.ts";

const row = (others: Partial<PaymentRow> = {}): PaymentRow => ({
  id: "a",
  kind: "payment",
  method: "cash",
  amount: 100 as Pesewas,
  state: "settled",
  paid_on: "2026-11-03",
  created_at: "2026-11-20T08:05:00+00:00",
  ...others,
});

describe("A payment", () => {
  test.each([
    [row(), "Cash"],
    [row({ method: "paystack" }), "Paystack"],
    [row({ kind: "refund", method: "mobile_money" }), "Refund, mobile money"],
    [row({ kind: "refund", method: "paystack" }), "Refund, Paystack"],
    [row({ kind: "correction", method: "bank_transfer" }), "Correction, bank transfer"],
  ])("case %#: is named after its kind and method", (payment, name) =>
    expect(paymentName(payment)).toBe(name),
  );

  test("shows the day it was paid, or else the day it was recorded", () => {
    expect(paymentDay(row())).toBe("3 Nov 2026");
    expect(paymentDay(row({ paid_on: null }))).toBe("20 Nov 2026");
  });

  test("is shown once its money has moved, unless it was corrected", () => {
    const rows = [
      row({ id: "paid" }),
      row({ id: "open", state: "open" }),
      row({ id: "wrong" }),
      row({ id: "correction", kind: "correction" }),
    ];
    expect(shownPayments(rows, new Set(["wrong"])).map(({ id }) => id)).toEqual(["paid"]);
  });

  test("is awaited while it is open, for up to a quarter of an hour", () => {
    const opened = Date.parse("2026-11-20T08:05:00Z");
    expect(isAwaited([row(), row({ state: "open" })], opened + 60_000)).toBe(true);
    expect(isAwaited([row({ state: "open" })], opened + 16 * 60_000)).toBe(false);
    expect(isAwaited([row()], opened + 60_000)).toBe(false);
    expect(isAwaited([row({ state: "open", kind: "refund" })], opened + 60_000)).toBe(false);
  });
});
