import { STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import type { TypedLine } from "./receipt-form.ts";

/** What was counted and typed, and not booked yet. */
export type ReceiptDraft = {
  /** The receipt's id, the same for every attempt to book it. */
  id: string;
  lines: readonly TypedLine[];
  currency: string;
  rate: string;
  note: string;
  /** When it last changed, in milliseconds. */
  changedAt: number;
};

const MAX_AGE_MS = 14 * 24 * 60 * 60 * 1000;

/** The key of the receipt of a purchase order, or of the one without an order. */
export const draftKey = (purchaseId: string | null) =>
  `${STORAGE_PREFIX}receipt-${purchaseId ?? "unordered"}`;

/** A receipt in this browser's storage, until it is booked, discarded, two weeks old or its user signs out. */
export function receiptDraft(purchaseId: string | null) {
  const item = createStoredItem("local", draftKey(purchaseId));
  return {
    /** Null if there is none that can be used. */
    read(now: number): ReceiptDraft | null {
      const draft = item.read();
      return isDraft(draft) && now - draft.changedAt < MAX_AGE_MS ? draft : null;
    },
    write: (draft: ReceiptDraft) => item.write(draft),
    remove: item.remove,
  };
}

/**
 * The lines to start with: those that are expected, with what was typed into them before, then the others that were counted.
 * The purchase order may have changed since.
 */
export function restoredLines(expected: readonly TypedLine[], typed: readonly TypedLine[]): TypedLine[] {
  const isExpected = new Set(expected.map(({ book_id }) => book_id));
  return [
    ...expected.map((line) => {
      const before = typed.find(({ book_id }) => book_id === line.book_id);
      return before ? { ...line, copies: before.copies, damaged: before.damaged, cost: before.cost } : line;
    }),
    ...typed.filter(({ book_id }) => !isExpected.has(book_id)).map((line) => ({ ...line, expected: null })),
  ];
}

function isDraft(value: unknown): value is ReceiptDraft {
  const { id, lines, currency, rate, note, changedAt } = (value ?? {}) as Record<string, unknown>;
  return (
    [id, currency, rate, note].every(isText) &&
    typeof changedAt === "number" &&
    Array.isArray(lines) &&
    lines.every(isLine)
  );
}

function isLine(value: unknown): value is TypedLine {
  const { book_id, title, isbn, expected, copies, damaged, cost } = (value ?? {}) as Record<string, unknown>;
  return (
    [book_id, title, copies, damaged, cost].every(isText) &&
    (isbn === null || isText(isbn)) &&
    (expected === null || typeof expected === "number")
  );
}

const isText = (value: unknown): value is string => typeof value === "string";
