import type { BackendClient } from "#app/lib/backend/client.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Invoice } from "./document.ts";

/**
 * The invoice of an order, which gets its number on the first call; null for a cancelled order that has none.
 * @throws BackendFailure
 */
export async function issueInvoice(client: BackendClient, orderId: string): Promise<Invoice | null> {
  try {
    const [invoice] = unwrap(await client.rpc("issue_invoice", { _order_id: orderId }));
    return invoice ? { ...invoice, shop: invoice.shop as Invoice["shop"] } : null;
  } catch (error) {
    if (isBackendFailure(error) && error.code === "order_cancelled") return null;
    throw error;
  }
}
