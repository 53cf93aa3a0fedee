/*
 * What tests of the database do with payments.
 */
import { randomUUID } from "node:crypto";
import type { Database, Row } from "./database.ts";
import { type SignedIn, secretKey } from "./people.ts";

/** A payment as open_payment hands it out; the amount in cedis. */
export type OpenPayment = {
  id: string;
  reference: string;
  amount: number;
  email: string;
  checkout_url: string | null;
};

/** What an order's customer sees of what is paid and due. */
export async function summaryOf(database: Database, person: SignedIn, orderId: string): Promise<Row> {
  const [row] = await database.as(person, (query) =>
    query(
      "select total::float, paid::float, due::float, state, needs_decision from public.list_order_payments(array[$1]::uuid[])",
      [orderId],
    ),
  );
  if (!row) throw new Error("The order's payments cannot be read.");
  return row;
}

/** An order's rows as "kind method amount state", sorted. */
export async function paymentsOf(database: Database, orderId: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    "select concat_ws(' ', kind, method, amount, state, reason) as name from public.payments where order_id = $1 order by 1",
    [orderId],
  );
  return rows.map(({ name }) => name);
}

/** Calls a function as the web server does; answers what it returns. */
export async function callAsServer<Result>(
  database: Database,
  call: string,
  ...values: unknown[]
): Promise<Result> {
  const [row] = await database.as(secretKey, (query) =>
    query<{ result: Result }>(`select public.${call} as result`, values),
  );
  return row?.result as Result;
}

export const openOnline = (database: Database, orderId: string) =>
  callAsServer<OpenPayment>(database, "open_payment($1)", orderId);

/** Passes on what Paystack says of a reference; amount in cedis. */
export const settleOnline = (
  database: Database,
  reference: string,
  {
    outcome = "success",
    amount = null as number | null,
    currency = "GHS",
    id = "4099260516" as string | null,
  } = {},
) =>
  callAsServer<{ state: string; order_id: string | null } | null>(
    database,
    "settle_payment($1, $2, $3, $4, '2026-11-20', $5)",
    reference,
    outcome,
    amount,
    currency,
    id,
  );

/** A payment through Paystack of what is due, which must be this amount. */
export async function payOnline(database: Database, orderId: string, amount: number): Promise<OpenPayment> {
  const payment = await openOnline(database, orderId);
  await settleOnline(database, payment.reference, { amount });
  return payment;
}

/** Asks for a refund as staff do, and answers its id. */
export async function refundOnline(
  database: Database,
  admin: SignedIn,
  paymentId: string,
  amount: number,
): Promise<string> {
  const id = randomUUID();
  await database.as(admin, (query) =>
    query("select public.refund_payment($1, $2, $3)", [id, paymentId, amount]),
  );
  return id;
}
