import type { BackendClient } from "#app/lib/backend/client.ts";
import { postToSite } from "#app/lib/backend/post-to-site.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { type OrderPayment, type PaymentRow, type PaymentState, shownPayments } from "./payment.ts";

/**
 * What has been paid, is due and is owed back for these orders, by order id; only for those that the user may read.
 * @throws BackendFailure
 */
export async function listOrderPayments(
  client: BackendClient,
  orderIds: readonly string[],
): Promise<Map<string, OrderPayment>> {
  if (orderIds.length === 0) return new Map();
  const rows = unwrap(await client.rpc("list_order_payments", { _order_ids: [...orderIds] }));
  return new Map(
    rows.map(({ order_id, paid, due, owed_back, kept, returned, state }) => [
      order_id,
      {
        paid: pesewasFromCedis(paid),
        due: pesewasFromCedis(due),
        owedBack: pesewasFromCedis(owed_back),
        kept: pesewasFromCedis(kept),
        returned: pesewasFromCedis(returned),
        state: state as PaymentState,
      },
    ]),
  );
}

/** An order's payments as its customer sees them. */
export type OwnPayments = OrderPayment & {
  /** Money that has moved, oldest first. */
  shown: PaymentRow[];
  /** Those that may still be confirmed. */
  open: PaymentRow[];
  /** Whether the customer's last attempt to pay failed. */
  lastFailed: boolean;
  /** Whether staff are checking money that came in. */
  inDoubt: boolean;
};

/**
 * An order's payments, or null if the order does not exist.
 * @throws BackendFailure
 */
export async function findOwnPayments(client: BackendClient, orderId: string): Promise<OwnPayments | null> {
  const [summaries, found] = await Promise.all([
    listOrderPayments(client, [orderId]),
    client
      .from("payments")
      .select("id, kind, method, amount, state, about, paid_on, created_at")
      .eq("order_id", orderId)
      .order("created_at")
      .then(unwrap),
  ]);
  const summary = summaries.get(orderId);
  if (!summary) return null;
  const rows = found.map((row) => ({ ...row, amount: pesewasFromCedis(row.amount) }));
  const corrected = new Set(
    rows.flatMap(({ kind, about }) => (kind === "correction" && about ? [about] : [])),
  );
  return {
    ...summary,
    shown: shownPayments(rows, corrected),
    open: rows.filter(({ state }) => state === "open"),
    lastFailed: rows.findLast(({ kind }) => kind === "payment")?.state === "failed",
    inDoubt: rows.some(({ state }) => state === "needs_decision"),
  };
}

/** Where the customer pays what is due; absent if the order turned out to be paid. */
type Opened = { address?: string };

/**
 * Asks the web server to open a payment of what is due.
 * @returns the address where the customer pays; null if the order has been paid in the meantime
 * @throws BackendFailure
 */
export async function openPayment(client: BackendClient, orderId: string): Promise<string | null> {
  const opened = (await postToSite(client, `/payments/orders/${orderId}`)) as Opened;
  return opened.address ?? null;
}
