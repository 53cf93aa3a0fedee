import type { OrderStatus } from "#app/features/orders/order.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import type { OrderTexts } from "#shared/orders/order-fields.ts";
import type { Shop } from "#shared/owner/settings.ts";
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
  quote: { purchase_order_number: string | null } | null;
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

/** The lines that go into the parcel, without digital titles. */
export const packedItems = <Item extends { kind: string }>(items: readonly Item[]): Item[] =>
  items.filter(({ kind }) => kind !== "digital");

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
 * Whether a delivery note can be printed: it goes into the parcel, which is packed when the order is processed. An order
 * that is downloaded has none.
 */
export function hasDeliveryNote({
  status,
  delivery_method,
}: Pick<DocumentOrder, "status" | "delivery_method">) {
  return status !== "pending" && status !== "cancelled" && delivery_method !== DOWNLOAD;
}

/** The document named in a URL; an invoice by default. */
export function readDocumentKind(name: string | null | undefined): DocumentKind {
  return DOCUMENT_KINDS.find((kind) => kind === name) ?? "invoice";
}
