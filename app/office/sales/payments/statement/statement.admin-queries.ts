import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import type { StatementLine } from "./statement-lines.ts";

/** The most lines matched and recorded at once. */
export const MAX_CREDITS = 1_000;

export type StatementMethod = "mobile_money" | "bank_transfer";

/** An order that a line may pay. */
export type PayableOrder = { id: string; number: number; due: Pesewas; name: string };

/** What the database found for a line (private.match_statement). */
export type LineMatch = {
  outcome: "recorded" | "repeated" | "proposed" | "doubtful" | "unknown";
  reason: "number" | "named" | "phone" | "name" | "amount" | null;
  doubt: "several" | "other_line" | "more_than_due" | "nothing_due" | "other_amount" | "similar" | null;
  /** The earlier line with the same transaction ID, or the one for which the order is proposed. */
  aboutLine: number | null;
  /** The number of the order for which the line, or a similar payment, is recorded. */
  aboutOrder: number | null;
  /** How many orders were found, of which `orders` has the newest ten. */
  matches: number;
  orders: PayableOrder[];
};

/** The data API accepts 128 KiB per call; the other arguments need little of it. */
const MAX_BYTES = 130_000;
const LONGEST_TEXT = 200;

/** The lines as `match_statement` takes them; empty texts are left out. */
const sent = (lines: readonly StatementLine[]) =>
  lines.map(({ amount, day, ...texts }) => ({
    amount: cedisFromPesewas(amount),
    day,
    ...Object.fromEntries(
      (["reference", "name", "phone", "narration"] as const)
        .filter((name) => texts[name] !== "")
        .map((name) => [name, texts[name].slice(0, LONGEST_TEXT)]),
    ),
  }));

const bytesOf = (rows: unknown) => new TextEncoder().encode(JSON.stringify(rows)).length;

const anyOrder = { orderId: "00000000-0000-0000-0000-000000000000", moreThanDue: false };

/** Whether lines can be matched in one call, and all of them recorded in one. */
export function fitsOneCall(lines: readonly StatementLine[]): boolean {
  return (
    lines.length <= MAX_CREDITS &&
    bytesOf(sent(lines)) <= MAX_BYTES &&
    bytesOf(recorded(lines.map((line) => ({ ...line, ...anyOrder })))) <= MAX_BYTES
  );
}

type FoundOrder = {
  id: string;
  number: number;
  due: number;
  recipient: string | null;
  customer: string | null;
};

/**
 * The orders that a statement's lines pay, one match for each line, at most MAX_CREDITS.
 * @throws BackendFailure
 */
export async function matchStatement(
  client: BackendClient,
  method: StatementMethod,
  lines: readonly StatementLine[],
): Promise<LineMatch[]> {
  const rows = unwrap(await client.rpc("match_statement", { _method: method, _lines: sent(lines) }));
  return rows.map((row) => ({
    outcome: row.outcome as LineMatch["outcome"],
    // The generated types don't know which columns may be null.
    reason: row.reason as LineMatch["reason"],
    doubt: row.doubt as LineMatch["doubt"],
    aboutLine: lines[(row.about_line ?? 0) - 1]?.line ?? null,
    aboutOrder: row.about_order,
    matches: row.matches,
    orders: (row.orders as unknown as FoundOrder[]).map(({ id, number, due, recipient, customer }) => ({
      id,
      number,
      due: pesewasFromCedis(due),
      name: recipient ?? customer ?? "",
    })),
  }));
}

/**
 * An order by its number, with what is due; null when there is none.
 * @throws BackendFailure
 */
export async function findPayableOrder(client: BackendClient, number: number): Promise<PayableOrder | null> {
  const [order] = unwrap(await client.rpc("find_payable_order", { _number: number }));
  return order ? { ...order, due: pesewasFromCedis(order.due), name: order.name ?? "" } : null;
}

export type PaymentOfLine = StatementLine & {
  orderId: string;
  /** Confirms a payment of more than is due. */
  moreThanDue: boolean;
};

const recorded = (payments: readonly PaymentOfLine[]) =>
  payments.map(({ orderId, line, amount, day, reference, moreThanDue }) => ({
    line,
    order_id: orderId,
    amount: cedisFromPesewas(amount),
    paid_on: day,
    ...(reference !== "" && { reference }),
    ...(moreThanDue && { more_than_due: true }),
  }));

export type RefusedLine = { line: number; order_number: number | null; message: string };

/**
 * Records payments together, or none of them; a line of the same statement is recorded once.
 * @returns how many
 * @throws BackendFailure, with the code `payments_refused` and the fact `lines` when any is refused
 */
export async function recordStatement(
  client: BackendClient,
  statement: { id: string; method: StatementMethod },
  payments: readonly PaymentOfLine[],
): Promise<number> {
  return unwrap(
    await client.rpc("record_statement", {
      _statement_id: statement.id,
      _method: statement.method,
      _payments: recorded(payments),
    }),
  );
}
