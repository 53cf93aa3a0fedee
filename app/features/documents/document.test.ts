import { expect, test } from "vitest";
import { ORDER_STATUSES, type OrderStatus } from "#app/features/orders/order.ts";
import type { PaymentState } from "#app/features/payments/payment.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { hasDeliveryNote, invoiceTitle, parcelsOf, readDocumentKind } from "./document.ts";

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
  const shipments = [{ id: "first", sent_at: "2026-11-20T10:00:00Z", lines: [] }];
  const partSent = { delivery_method: "deliver", shipments };
  expect(ORDER_STATUSES.filter((status) => !hasDeliveryNote({ status, ...partSent }))).toEqual([]);
});

test("A delivery note names what each parcel held, and what is left for the last one", () => {
  const items = ["atlas", "maths"].map((id) => ({
    id,
    title: id,
    publisher: null,
    isbn: null,
    quantity: 5,
    price: pesewasFromCedis(5),
    kind: "book",
  }));
  const first = { id: "first", sent_at: "2026-11-20T10:00:00Z" };
  const second = { id: "second", sent_at: "2026-11-21T10:00:00Z" };
  const lines = [{ order_item_id: "atlas", copies: 5 }];
  const toSend = [{ order_item_id: "maths", copies: 5 }];
  const order = (status: OrderStatus) => ({ id: "order", status, items, shipments: [{ ...first, lines }] });
  const sent = { ...first, parcel: { atlas: 5 } };
  const rest = { id: "order", sent_at: null };

  expect(parcelsOf({ ...order("processing"), shipments: [] })).toEqual([{ ...rest, parcel: null }]);
  expect(parcelsOf({ ...order("pending"), toSend })).toEqual([sent]);
  expect(parcelsOf({ ...order("processing"), toSend })).toEqual([sent, { ...rest, parcel: { maths: 5 } }]);
  // The rest was sent by hand, in a second parcel, or never.
  expect(parcelsOf(order("shipped"))).toEqual([sent, { ...rest, parcel: { atlas: 0, maths: 5 } }]);
  expect(
    parcelsOf({
      ...order("delivered"),
      shipments: [
        { ...first, lines },
        { ...second, lines: toSend },
      ],
    }),
  ).toEqual([sent, { ...second, parcel: { maths: 5 } }]);
  expect(parcelsOf(order("cancelled"))).toEqual([sent]);
});
