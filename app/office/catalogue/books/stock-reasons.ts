/** Why staff change a book's stock by hand (stock_movements.reason in the database), and in which direction. */
const handReasons = {
  found: { label: "Found", more: true, fewer: false },
  damaged: { label: "Damaged", more: false, fewer: true },
  lost: { label: "Lost", more: false, fewer: true },
  sample: { label: "Sample", more: false, fewer: true },
  gift: { label: "Gift", more: false, fewer: true },
  correction: { label: "Correction", more: true, fewer: true },
} as const;

export type HandReason = keyof typeof handReasons;

/** A reason that fits the change, and a note, which may be empty. */
export type StockReason = { reason: HandReason; note: string };

const all = Object.entries(handReasons) as [HandReason, (typeof handReasons)[HandReason]][];

/** The reasons that fit a change by this many copies, as choices. */
export function reasonsFor(copies: number): { value: HandReason; label: string }[] {
  return all
    .filter(([, { more, fewer }]) => (copies > 0 ? more : fewer))
    .map(([value, { label }]) => ({ value, label }));
}

/** The chosen reason, or null if none fits. */
export function readReason(chosen: string, copies: number): HandReason | null {
  return reasonsFor(copies).find(({ value }) => value === chosen)?.value ?? null;
}

export const movementReasons: Readonly<Record<string, string>> = {
  order: "Ordered",
  change: "Order changed",
  cancel: "Order cancelled",
  reopen: "Order reopened",
  delete: "Order deleted",
  return: "Returned to stock",
  undo_return: "Return undone",
  manual: "Changed by hand",
  import: "Import",
  count: "Counted",
  receipt: "Received",
  undo_receipt: "Receipt undone",
  files: "Files changed",
  codes: "Licence codes changed",
  ...Object.fromEntries(all.map(([value, { label }]) => [value, label])),
};

export const LONGEST_NOTE = 200;
