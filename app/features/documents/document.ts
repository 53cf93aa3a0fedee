import { isOpen, type OrderStatus } from "#app/features/orders/order.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import type { OrderTexts } from "#shared/orders/order-fields.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import type { Pesewas } from "#shared/text/money.ts";

/** The documents of an order, by their names in URLs. */
const DOCUMENT_KINDS = ["invoice", "delivery-note"] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What documents show of an order, for customers and staff alike. */
export type DocumentOrder = OrderTexts & {
  id: string;
  number: number;
  created_at: string;
  status: OrderStatus;
  total_amount: Pesewas;
  delivery_fee: Pesewas;
  /** The terms that applied when it was placed; missing in copies that a browser made before it had them. */
  terms_version?: number | null;
  quote: { purchase_order_number: string | null; delivery_pricing?: string } | null;
  /** The copies of each line that this parcel holds, by the line's id; all of them if it is missing. */
  parcel?: Readonly<Record<string, number>> | null;
  items: readonly {
    id: string;
    title: string;
    publisher: string | null;
    isbn: string | null;
    quantity: number;
    price: Pesewas;
    /** What the title is: digital ones are downloaded. */
    kind: string;
  }[];
};

type Line = { id: string; kind: string; quantity: number };

/** The lines that go into the parcel with their copies: no digital titles, nor what was sent before or is sent later. */
export const packedItems = <Item extends Line>({
  items,
  parcel,
}: {
  items: readonly Item[];
  parcel?: DocumentOrder["parcel"];
}): Item[] =>
  items
    .filter(({ kind }) => kind !== "digital")
    .map((item) => (parcel ? { ...item, quantity: parcel[item.id] ?? 0 } : item))
    .filter(({ quantity }) => quantity > 0);

export const sumCopies = (items: readonly Pick<Line, "quantity">[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

/** '7 of the order's 14 copies'; null when the parcel holds all of them. */
export function partOfOrder({ items, parcel }: Pick<DocumentOrder, "items" | "parcel">): string | null {
  const all = sumCopies(packedItems({ items }));
  const held = sumCopies(packedItems({ items, parcel }));
  return held < all ? `${held} of the order's ${countOf(all, "copy", "copies")}` : null;
}

/** One of an order's parcels: the copies of each line, by its id. */
export type Parcel = { id: string; sent_at: string | null; parcel: DocumentOrder["parcel"] };

/** An order's parcels as its customer sees them. */
type Sent = Pick<DocumentOrder, "id" | "status" | "items"> & {
  shipments?: readonly { id: string; sent_at: string; lines: readonly SentLine[] }[];
  toSend?: readonly SentLine[];
};
type SentLine = { order_item_id: string; copies: number };

const byLine = (lines: readonly SentLine[]): Record<string, number> => {
  const copies: Record<string, number> = {};
  for (const line of lines) copies[line.order_item_id] = (copies[line.order_item_id] ?? 0) + line.copies;
  return copies;
};

/**
 * The parcels of which each has a delivery note, the oldest first: those that were sent before the rest, then the rest, once it is packed and if
 * there is one. Of an order that is sent as a whole, that is all of it.
 */
export function parcelsOf({ id, status, items, shipments = [], toSend = [] }: Sent): Parcel[] {
  const sent = shipments.map((one) => ({ id: one.id, sent_at: one.sent_at, parcel: byLine(one.lines) }));
  const left = byLine(shipments.flatMap(({ lines }) => lines));
  const rest =
    sent.length === 0
      ? null
      : isOpen({ status })
        ? byLine(toSend)
        : Object.fromEntries(
            items.map((item) => [item.id, Math.max(item.quantity - (left[item.id] ?? 0), 0)]),
          );
  return isPacked(status) && packedItems({ items, parcel: rest }).length > 0
    ? [...sent, { id, sent_at: null, parcel: rest }]
    : sent;
}

const isPacked = (status: OrderStatus): boolean => status !== "pending" && status !== "cancelled";

/** The settings that name the sender of a document. */
export type DocumentSender = Pick<
  Shop,
  "name" | "legalName" | "registrationNumber" | "address" | "phones" | "email"
>;

/** The seller of a document's day, without what isn't known: the shop of today has the rest. */
export type EarlierSender = Partial<DocumentSender & Pick<Shop, "taxNumber">>;

/**
 * An order's invoice number, assigned when the invoice was first opened, and when the order's books were changed since;
 * null when they weren't. `shop` has the seller and the taxes of the day of issue, without what isn't known.
 */
export type Invoice = {
  reference: string;
  issued_at: string;
  changed_at: string | null;
  shop: EarlierSender & Partial<Pick<Shop, "taxes">>;
};

/** 'Receipt' once the order is fully paid. */
export function invoiceTitle({ paid, state }: OrderPayment): "Invoice" | "Receipt" {
  return paid > 0 && (state === "paid" || state === "too_much") ? "Receipt" : "Invoice";
}

/**
 * Whether a delivery note can be printed: it goes into the parcel, which is packed when the order is processed, or earlier if a part is sent.
 * An order that is downloaded has none.
 */
export function hasDeliveryNote({
  status,
  delivery_method,
  shipments = [],
}: Pick<DocumentOrder, "status" | "delivery_method"> & Pick<Sent, "shipments">) {
  return (isPacked(status) || shipments.length > 0) && delivery_method !== DOWNLOAD;
}

/** The document named in a URL; an invoice by default. */
export function readDocumentKind(name: string | null | undefined): DocumentKind {
  return DOCUMENT_KINDS.find((kind) => kind === name) ?? "invoice";
}
