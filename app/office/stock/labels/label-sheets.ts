/** Lengths in millimetres. */
type LabelStock = {
  name: string;
  page: { width: number; height: number };
  columns: number;
  rows: number;
  /** Of a label. */
  width: number;
  height: number;
  /** From a label's left edge to the next one's. */
  pitch: number;
};

const A4 = { width: 210, height: 297 };

/** Sheets of sticky labels, and rolls of single labels. */
export const labelStocks = {
  "a4-24": {
    name: "A4, 24 labels, 70 × 37 mm",
    page: A4,
    columns: 3,
    rows: 8,
    width: 70,
    height: 37,
    pitch: 70,
  },
  "a4-21": {
    name: "A4, 21 labels, 63.5 × 38.1 mm",
    page: A4,
    columns: 3,
    rows: 7,
    width: 63.5,
    height: 38.1,
    pitch: 66.04,
  },
  "roll-57": {
    name: "Roll, 57 × 32 mm",
    page: { width: 57, height: 32 },
    columns: 1,
    rows: 1,
    width: 57,
    height: 32,
    pitch: 57,
  },
  "roll-50": {
    name: "Roll, 50 × 25 mm",
    page: { width: 50, height: 25 },
    columns: 1,
    rows: 1,
    width: 50,
    height: 25,
    pitch: 50,
  },
} as const satisfies Record<string, LabelStock>;

export type LabelStockName = keyof typeof labelStocks;

export const labelsPerPage = ({ columns, rows }: Pick<LabelStock, "columns" | "rows">) => columns * rows;

/** A label's top left corner, by its index on the page from 0, row by row. The labels are centred on the page. */
export function positionOf(stock: LabelStock, at: number): { left: number; top: number } {
  const { page, columns, rows, width, height, pitch } = stock;
  const used = (columns - 1) * pitch + width;
  return {
    left: (page.width - used) / 2 + (at % columns) * pitch,
    top: (page.height - rows * height) / 2 + Math.floor(at / columns) * height,
  };
}

export type Placed<Label> = { label: Label; left: number; top: number };

/**
 * The labels of each page.
 * @param start the first free label of the first page, from 1: a sheet may have been used in part
 */
export function placeLabels<Label>(
  labels: readonly Label[],
  stock: LabelStock,
  start: number,
): Placed<Label>[][] {
  const pages: Placed<Label>[][] = [];
  const each = labelsPerPage(stock);
  for (const [index, label] of labels.entries()) {
    const at = index + Math.min(Math.max(start, 1), each) - 1;
    const page = Math.floor(at / each);
    pages[page] = [...(pages[page] ?? []), { label, ...positionOf(stock, at % each) }];
  }
  return pages;
}
