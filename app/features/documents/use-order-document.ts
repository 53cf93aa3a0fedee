import { findOwnOrder, type OwnOrder } from "#app/features/orders/order.queries.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { isUuid } from "#shared/text/uuid.ts";
import type { DocumentKind, Invoice } from "./document.ts";
import { issueInvoice } from "./invoice.queries.ts";

/** `invoice` is null for a delivery note, and for a cancelled order that has none. */
export type OrderDocument = {
  order: OwnOrder;
  invoice: Invoice | null;
  payment: OrderPayment;
};

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
    return { order, invoice, payment: order.payments };
  };
  return useRead(userId ? `${userId} ${orderId} ${kind}` : null, read, {
    onFailure: (error) => logFailure("Failed to read an order's documents", error),
  });
}
