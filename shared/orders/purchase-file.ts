/* Shared by the back office and the email to a supplier. Amounts are whole hundredths of its currency. */

import type { SavedTable } from "#shared/tables/table-file.ts";

export const hundredthsOf = (amount: number) => Math.round(amount * 100);

/** 'GBP 1,234.50' */
export function formatAmount(hundredths: number, currency: string): string {
  return `${currency} ${formatBareAmount(hundredths)}`;
}

/** '1,234.50' */
export function formatBareAmount(hundredths: number): string {
  const digits = String(hundredths).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${whole}.${digits.slice(-2)}`;
}

/** A line of the supplier's file. */
type PurchaseFileLine = {
  isbn: string | null;
  title: string;
  publisher: string | null;
  copies: number;
  list_price: number;
  /** In percent. */
  discount: number;
  amount: number;
};

type PurchaseFile = { reference: string | null; currency: string; lines: readonly PurchaseFileLine[] };

/** A number's cell: two decimals, without a sign for a currency. */
const amountCell = (hundredths: number) => ({ cedis: hundredths / 100 });

/** The file for the supplier's system. */
export function purchaseTable({ lines, currency, reference }: PurchaseFile): SavedTable {
  return {
    name: reference ?? "purchase-order-draft",
    headings: ["ISBN", "Title", "Publisher", "Copies", "List price", "Discount %", "Amount", "Currency"],
    rows: lines.map((line) => [
      line.isbn,
      line.title,
      line.publisher,
      line.copies,
      amountCell(line.list_price),
      line.discount,
      amountCell(line.amount),
      currency,
    ]),
  };
}
