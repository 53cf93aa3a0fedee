import { type PaymentMethod, paymentMethods } from "#shared/owner/payment-terms.ts";
import { formatDay } from "#shared/text/dates.ts";
import { type Pesewas, sumPesewas } from "#shared/text/money.ts";

/**
 * An order's payment state (private.order_payments in the database): 'none' is a cancelled order with nothing to refund.
 */
export type PaymentState = "none" | "due" | "part_paid" | "paid" | "too_much";

/** What an order's customer has paid, still owes and is owed, and what the shop keeps of it by decision. */
export type OrderPayment = {
  paid: Pesewas;
  due: Pesewas;
  owedBack: Pesewas;
  kept: Pesewas;
  /** The amount taken off what is due because books were returned. */
  returned: Pesewas;
  state: PaymentState;
};

/** A payment, refund or correction; the amount is what it adds to what has been paid. */
export type PaymentRow = {
  id: string;
  kind: string;
  method: string;
  amount: Pesewas;
  state: string;
  paid_on: string | null;
  created_at: string;
};

/** 'Mobile money', 'Refund, cash'. */
export function paymentName({ kind, method }: Pick<PaymentRow, "kind" | "method">): string {
  const name = paymentMethods[method as PaymentMethod] ?? method;
  if (kind === "refund") return `Refund, ${method === "paystack" ? name : name.toLowerCase()}`;
  return kind === "correction" ? `Correction, ${name.toLowerCase()}` : name;
}

/** '20 Nov 2026': the payment's day, or the day it was recorded if it has none. */
export const paymentDay = ({ paid_on, created_at }: Pick<PaymentRow, "paid_on" | "created_at">) =>
  formatDay(paid_on ?? created_at);

/** What the customer sees: money that has moved, without corrected rows. */
export function shownPayments(rows: readonly PaymentRow[], corrected: ReadonlySet<string>): PaymentRow[] {
  return rows.filter(
    ({ id, kind, state }) => state === "settled" && kind !== "correction" && !corrected.has(id),
  );
}

/** How long to wait for the payment of a customer who has come back. */
const WAIT_MS = 15 * 60_000;

/** Whether a payment was opened so recently that it may be confirmed at any moment. */
export function isAwaited(rows: readonly PaymentRow[], nowMs: number): boolean {
  return rows.some(
    ({ kind, state, created_at }) =>
      kind === "payment" && state === "open" && nowMs - Date.parse(created_at) < WAIT_MS,
  );
}

/** What is on its way back to the customer. */
export const returning = (open: readonly PaymentRow[]): Pesewas =>
  sumPesewas(open.filter(({ kind }) => kind === "refund").map(({ amount }) => -amount as Pesewas));
