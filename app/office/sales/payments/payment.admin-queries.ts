import { listOrderPayments } from "#app/features/payments/payment.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";

/** Payments, refunds and corrections as the database lists them; amounts in pesewas. */
async function listPayments(client: BackendClient, orderId?: string) {
  const rows = unwrap(await client.rpc("admin_list_payments", orderId ? { _order_id: orderId } : {}));
  return rows.map((row) => ({
    ...row,
    amount: pesewasFromCedis(row.amount),
    refundable: pesewasFromCedis(row.refundable),
  }));
}

export type StaffPayment = Awaited<ReturnType<typeof listPayments>>[number];

/**
 * The amounts paid and due for an order, and its payments, oldest first; null when the order was deleted.
 * @param withRows false for staff who may see what is due, but not each payment
 * @throws BackendFailure
 */
export async function findOrderPayments(client: BackendClient, orderId: string, withRows: boolean) {
  const [summaries, rows] = await Promise.all([
    listOrderPayments(client, [orderId]),
    withRows ? listPayments(client, orderId) : [],
  ]);
  const summary = summaries.get(orderId);
  return summary ? { ...summary, rows } : null;
}

/**
 * All payments that need a decision, even those of deleted orders, oldest first, at most 200.
 * @throws BackendFailure
 */
export const listPaymentsToDecide = (client: BackendClient) => listPayments(client);

/**
 * How many payments need a decision.
 * @throws BackendFailure
 */
export async function countPaymentsToDecide(client: BackendClient): Promise<number> {
  return unwrap(await client.rpc("admin_count_payments_to_decide"));
}

/**
 * Keeps this much of what is owed back for an order, in place of what was kept before; nothing owes it all again.
 * @param noteId made by the form, so that a retry writes no second note
 * @throws BackendFailure, with the code `more_than_owed_back`
 */
export async function keepOverpayment(
  client: BackendClient,
  { orderId, amount, reason, noteId }: { orderId: string; amount: Pesewas; reason?: string; noteId?: string },
): Promise<void> {
  unwrapDone(
    await client.rpc("keep_overpayment", {
      _order_id: orderId,
      _amount: cedisFromPesewas(amount),
      _reason: reason,
      _note_id: noteId,
    }),
  );
}

export type PaymentToRecord = {
  /** Made by the form, so that a retry records nothing twice. */
  id: string;
  orderId: string;
  kind: string;
  method: string;
  amount: Pesewas;
  /** YYYY-MM-DD */
  paidOn: string;
  reference: string;
  note: string;
  /** Confirms a payment of more than is due. */
  moreThanDue: boolean;
};

/** @throws BackendFailure, with the code `more_than_due` when it is more and this was not confirmed */
export async function recordPayment(client: BackendClient, payment: PaymentToRecord): Promise<void> {
  const { id, orderId, kind, method, amount, paidOn, reference, note, moreThanDue } = payment;
  unwrap(
    await client.rpc("record_payment", {
      _payment_id: id,
      _order_id: orderId,
      _kind: kind,
      _method: method,
      _amount: cedisFromPesewas(amount),
      _paid_on: paidOn,
      _reference: reference,
      _note: note,
      _more_than_due: moreThanDue,
    }),
  );
}

/** @throws BackendFailure */
export async function correctPayment(client: BackendClient, id: string, note: string): Promise<void> {
  unwrap(await client.rpc("correct_payment", { _payment_id: id, _note: note }));
}

/** @throws BackendFailure */
export async function decidePayment(
  client: BackendClient,
  id: string,
  decision: "count" | "set_aside",
  note: string,
): Promise<void> {
  unwrapDone(await client.rpc("decide_payment", { _payment_id: id, _decision: decision, _note: note }));
}

/** @throws BackendFailure, with the code `more_than_paid` when less can be refunded */
export async function refundPayment(
  client: BackendClient,
  {
    refundId,
    paymentId,
    amount,
    note,
  }: { refundId: string; paymentId: string; amount: Pesewas; note: string },
): Promise<void> {
  unwrap(
    await client.rpc("refund_payment", {
      _refund_id: refundId,
      _payment_id: paymentId,
      _amount: cedisFromPesewas(amount),
      _note: note,
    }),
  );
}
