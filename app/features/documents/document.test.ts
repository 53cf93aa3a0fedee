import { expect, test } from "vitest";
import { ORDER_STATUSES } from "#app/features/orders/order.ts";
import type { PaymentState } from "#app/features/payments/payment.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { hasDeliveryNote, invoiceTitle, readDocumentKind } from "./document.ts";

test.each<[state: PaymentState, paid: number, title: string]>([
  ["due", 0, "Invoice"],
  ["part_paid", 50, "Invoice"],
  ["paid", 100, "Receipt"],
  ["too_much", 120, "Receipt"],
  // An order that costs nothing, and one that was cancelled before anything was paid.
  ["paid", 0, "Invoice"],
  ["none", 0, "Invoice"],
])("The document of an order in the state %s with %d cedis paid is titled %s", (state, paid, title) => {
  const none = pesewasFromCedis(0);
  expect(
    invoiceTitle({
      state,
      paid: pesewasFromCedis(paid),
      due: none,
      owedBack: none,
      kept: none,
      returned: none,
    }),
  ).toBe(title);
});

test("A URL shows the document that it names, or an invoice by default", () => {
  expect(["invoice", "delivery-note", "receipt", null, undefined].map(readDocumentKind)).toEqual([
    "invoice",
    "delivery-note",
    "invoice",
    "invoice",
    "invoice",
  ]);
});

test("An order has a delivery note once it is being prepared, unless it is cancelled", () => {
  const withNote = (delivery_method: string) =>
    ORDER_STATUSES.filter((status) => hasDeliveryNote({ status, delivery_method }));
  expect(withNote("collect")).toEqual(["processing", "shipped", "delivered"]);
  expect(withNote("download")).toEqual([]);
});
