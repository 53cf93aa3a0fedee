import type { BackendClient } from "#app/lib/backend/client.ts";
import {
  type ExportFilters,
  type ExportSource,
  fromLastPage,
  STEP_SIZE,
} from "#app/office/frame/export/collect-rows.ts";
import { amount, type ExportColumns, tableOf } from "#app/office/frame/export/export-table.ts";
import { type PaymentMethod, paymentMethods } from "#shared/owner/payment-terms.ts";
import { type FoundPayment, findPayments, sumPayments } from "./all-payments.admin-queries.ts";

const paymentColumns: ExportColumns<FoundPayment> = {
  Day: (payment) => payment.day,
  "Order number": (payment) => payment.order_number,
  Kind: (payment) => payment.kind,
  Method: (payment) => paymentMethods[payment.method as PaymentMethod] ?? payment.method,
  State: (payment) => payment.state,
  Reference: (payment) => payment.reference,
  "Amount (GH₵)": (payment) => amount(payment.amount),
  Note: (payment) => payment.note,
  By: (payment) => payment.by_name,
  Recorded: (payment) => new Date(payment.created_at),
  "Payment ID": (payment) => payment.id,
};

/** Payments, the newest first. `filter` is a state. */
function paymentSource(
  client: BackendClient,
  { q, filter, method = "", kind = "", from = "", to = "", by = "" }: ExportFilters,
): ExportSource<FoundPayment, number> {
  const filters = { q, state: filter, method, kind, from, to, by };
  return {
    count: async () => (await sumPayments(client, filters)).total,
    ...fromLastPage((page) => findPayments(client, filters, { page, descending: false, size: STEP_SIZE })),
  };
}

export const paymentExport = {
  one: "payment",
  many: "payments",
  source: paymentSource,
  table: tableOf(paymentColumns),
  isPersonal: true,
};
