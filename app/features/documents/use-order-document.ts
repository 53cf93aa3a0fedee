import { findOwnOrder, type OwnOrder } from "#app/features/orders/order.queries.ts";
import { isOpen } from "#app/features/orders/order.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { isUuid } from "#shared/text/uuid.ts";
import type { DocumentKind, DocumentOrder, Invoice } from "./document.ts";
import { issueInvoice } from "./invoice.queries.ts";

/** `invoice` is null for a delivery note, and for a cancelled order that has none. */
export type OrderDocument = {
  order: OwnOrder & Pick<DocumentOrder, "parcel">;
  invoice: Invoice | null;
  payment: OrderPayment;
};

/** What is left to send of an order of which some copies were sent. */
const parcelOf = ({ shipments = [], toSend = [], ...order }: OwnOrder): DocumentOrder["parcel"] =>
  shipments.length > 0 && isOpen(order)
    ? Object.fromEntries(toSend.map(({ order_item_id, copies }) => [order_item_id, copies]))
    : null;

/**
 * The content of a document for one of the signed-in user's orders; an invoice gets its number here. Visitors are
 * redirected to /auth.
 * @returns the state of the read, with null for an order that does not exist; `retry` reads again
 */
export function useOrderDocument(orderId: string, kind: DocumentKind) {
  const userId = useRequireMember()?.id;

  const read = async (): Promise<OrderDocument | null> => {
    if (!userId || !isUuid(orderId)) return null;
    const client = await getBackend();
    const order = await findOwnOrder(client, userId, orderId);
    if (!order?.payments) return null;
    const invoice = kind === "invoice" ? await issueInvoice(client, orderId) : null;
    return { order: { ...order, parcel: parcelOf(order) }, invoice, payment: order.payments };
  };
  return useRead(userId ? `${userId} ${orderId} ${kind}` : null, read, {
    onFailure: (error) => logFailure("Failed to read an order's documents", error),
  });
}
