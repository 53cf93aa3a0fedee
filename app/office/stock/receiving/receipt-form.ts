import type { PurchaseRecord } from "#app/office/stock/purchases/purchase.admin-queries.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { ReceiptLine, ReceiptValues } from "./receipt.admin-queries.ts";

/** A line as typed. */
export type TypedLine = {
  book_id: string;
  title: string;
  isbn: string | null;
  /** What the purchase order still waits for; null for a book that was not ordered. */
  expected: number | null;
  copies: string;
  damaged: string;
  cost: string;
};

/** What is still to come of a purchase order, with no copy counted yet. */
export function expectedLines({ lines }: Pick<PurchaseRecord, "lines">): TypedLine[] {
  return lines.map(({ book_id, title, isbn, copies, received }) => ({
    book_id,
    title,
    isbn,
    expected: Math.max(copies - received, 0),
    copies: "0",
    damaged: "0",
    cost: "",
  }));
}

type Scanned = { id: string; title: string; isbn: string | null };

/** One copy more of a book, in a new line if it has none. */
export function countCopy(lines: readonly TypedLine[], { id, title, isbn }: Scanned): TypedLine[] {
  if (lines.some(({ book_id }) => book_id === id))
    return lines.map((line) =>
      line.book_id === id ? { ...line, copies: String((readCount(line.copies) ?? 0) + 1) } : line,
    );
  return [...lines, { book_id: id, title, isbn, expected: null, copies: "1", damaged: "0", cost: "" }];
}

/** Whether copies of this book are still to come and none was counted. */
export const isUncounted = ({ expected, copies, damaged }: TypedLine) =>
  (expected ?? 0) > 0 && readCount(copies) === 0 && readCount(damaged) === 0;

/** The expected copies for each line without a count. What was counted stays. */
export const allAsExpected = (lines: readonly TypedLine[]): TypedLine[] =>
  lines.map((line) => (isUncounted(line) ? { ...line, copies: String(line.expected) } : line));

/** A whole number from 0 to the database's limit; nothing typed is 0. */
export function readCount(text: string): number | null {
  const bare = text.trim() || "0";
  return /^\d{1,5}$/.test(bare) ? Number(bare) : null;
}

/** The typed cost in units of the currency: null if the field is empty, `undefined` if it can't be read. */
function readCost(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const price = readPrice(text);
  return typeof price === "number" && price <= 9_999_999 ? price / 100 : undefined;
}

/** '14.25': cedis for one unit of a currency, with up to six decimals. */
export function readRate(text: string): number | null {
  const bare = text.trim().replace(",", ".");
  const rate = /^\d{1,6}(\.\d{1,6})?$/.test(bare) ? Number(bare) : 0;
  return rate > 0 && rate <= 100_000 ? rate : null;
}

/** The lines to book and the books whose lines can't be read. Lines without a copy have not arrived and are left out. */
export function readReceiptLines(lines: readonly TypedLine[]) {
  const wrong = new Set<string>();
  const read: ReceiptValues["lines"] = [];
  for (const line of lines) {
    const [copies, damaged, cost] = [readCount(line.copies), readCount(line.damaged), readCost(line.cost)];
    if (copies === null || damaged === null || cost === undefined) wrong.add(line.book_id);
    else if (copies + damaged > 0) read.push({ book_id: line.book_id, copies, damaged, cost });
  }
  return { read, wrong };
}

/** '2 too few', '1 too many', 'Not ordered', '3 damaged'; empty when all is as expected. `isOrdered` is for receipts against a purchase order. */
export function describeDifference(line: Omit<ReceiptLine, "title" | "isbn">, isOrdered: boolean): string {
  const { expected, copies, damaged } = line;
  const difference = expected === null ? 0 : copies + damaged - expected;
  return [
    isOrdered && expected === null && "Not ordered",
    difference < 0 && `${-difference} too few`,
    difference > 0 && `${difference} too many`,
    damaged > 0 && `${damaged} damaged`,
  ]
    .filter((text) => text)
    .join(", ");
}
