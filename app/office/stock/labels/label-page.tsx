import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { Barcode } from "./barcode.tsx";
import { barcodeDigits, FULL_HEIGHT_MM } from "./ean13.ts";
import type { LabelStockName, labelStocks, Placed } from "./label-sheets.ts";

export type LabelBook = {
  id: string;
  title: string;
  isbn: string | null;
  price: Pesewas;
  shelf: string | null;
};

/** Height for title and price, and the padding, in millimetres. */
const TEXT_MM = 10.4;
const PADDING_MM = 1.6;

type LabelPageProps = {
  labels: readonly Placed<LabelBook>[];
  stock: (typeof labelStocks)[LabelStockName];
  scale: number;
};

/** One page of labels in millimetres, as it is printed. */
export function LabelPage({ labels, stock, scale }: LabelPageProps) {
  const { page, width, height } = stock;
  return (
    <div
      className="relative overflow-hidden bg-white text-black"
      // Slightly shorter than the page, so that rounding doesn't start another page.
      style={{ width: `${page.width}mm`, height: `${page.height - 0.1}mm` }}
    >
      {labels.map(({ label, left, top }) => (
        <div
          key={`${left} ${top}`}
          className="absolute flex flex-col items-center justify-between overflow-hidden"
          style={{
            left: `${left}mm`,
            top: `${top}mm`,
            width: `${width}mm`,
            height: `${height}mm`,
            padding: `${PADDING_MM}mm ${2 * PADDING_MM}mm`,
            fontSize: "2.7mm",
            lineHeight: "3.1mm",
          }}
        >
          <LabelTexts book={label} />
          <LabelBars isbn={label.isbn} scale={scale} heightMm={height - TEXT_MM - 2 * PADDING_MM} />
        </div>
      ))}
    </div>
  );
}

function LabelTexts({ book: { title, price, shelf } }: { book: LabelBook }) {
  return (
    <div className="w-full">
      <p className="line-clamp-2 wrap-anywhere">{title}</p>
      <p className="flex justify-between gap-2">
        <strong className="font-semibold whitespace-nowrap" style={{ fontSize: "3.4mm", lineHeight: "4mm" }}>
          {formatCedis(price)}
        </strong>
        {shelf && <span className="truncate">{shelf}</span>}
      </p>
    </div>
  );
}

function LabelBars({ isbn, scale, heightMm }: { isbn: string | null; scale: number; heightMm: number }) {
  const digits = barcodeDigits(isbn);
  if (digits === null) return null;
  return <Barcode digits={digits} scale={scale} heightMm={Math.min(heightMm, FULL_HEIGHT_MM * scale)} />;
}
