import type { ReactNode } from "react";
import {
  type ChangeRow,
  copyWords,
  type ImportTotals,
  priceMove,
  priceWords,
  ratioWords,
} from "#app/office/catalogue/book-import/import-totals.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";

/** How far an import moves prices and stocks: the sums first, the ten largest moves by a click. */
export function PlanTotals({ totals }: { totals: ImportTotals }) {
  const [ofPrices, ofCopies] = [priceWords(totals), copyWords(totals)];
  if (ofPrices.length + ofCopies.length === 0) return null;
  return (
    <div className="mb-6 grid items-start gap-4 @4xl:grid-cols-2">
      {ofPrices.length > 0 && (
        <Panel title="Prices">
          <Sentences words={ofPrices} />
          <Moves
            title="Largest changes by ratio"
            rows={totals.priceRatios}
            change={ratioWords}
            move={prices}
          />
          <Moves
            title="Largest changes by amount"
            rows={totals.priceAmounts}
            change={amountWords}
            move={prices}
          />
        </Panel>
      )}
      {ofCopies.length > 0 && (
        <Panel title="Stock">
          <Sentences words={ofCopies} />
          <Moves
            title="Largest changes of stock"
            rows={totals.stockMoves}
            change={copiesMoved}
            move={copies}
          />
        </Panel>
      )}
    </div>
  );
}

function Sentences({ words }: { words: string[] }) {
  return words.map((sentence) => (
    <p key={sentence} className="figures">
      {sentence}
    </p>
  ));
}

type MovesProps = {
  title: string;
  rows: ChangeRow[];
  move: (row: ChangeRow) => ReactNode;
  change: (row: ChangeRow) => string;
};

function Moves({ title, rows, move, change }: MovesProps) {
  if (rows.length === 0) return null;
  return (
    <details className="mt-2 border-t border-line">
      <summary className="min-h-11 cursor-pointer content-center font-semibold text-green">{title}</summary>
      <table className="figures w-full text-left">
        <caption className="sr-only">{title}</caption>
        <thead className="text-13 text-muted">
          <tr>
            <th scope="col" className="font-semibold">
              Book
            </th>
            <th scope="col" className="pl-3 text-right font-semibold">
              Old and new
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line} className="align-top">
              <td className="border-t border-line py-1.5 wrap-anywhere">{row.title}</td>
              <td className="border-t border-line py-1.5 pl-3 text-right">
                {move(row)}
                <span className="block text-13 text-muted">{change(row)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const prices = priceMove;

const copies = ({ old_stock = 0, stock = 0 }: ChangeRow) =>
  `${old_stock.toLocaleString("en-GB")} → ${stock.toLocaleString("en-GB")}`;

const signed = (value: number, text: string) => (value < 0 ? `−${text}` : `+${text}`);

function amountWords({ old_price = 0 as Pesewas, price = 0 as Pesewas }: ChangeRow): string {
  return signed(price - old_price, formatCedis(Math.abs(price - old_price) as Pesewas));
}

function copiesMoved({ old_stock = 0, stock = 0 }: ChangeRow): string {
  return signed(stock - old_stock, Math.abs(stock - old_stock).toLocaleString("en-GB"));
}
