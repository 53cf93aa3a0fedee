import { useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { publisherName } from "#app/features/books/book.ts";
import { writtenIsbn } from "#app/features/books/isbn.ts";
import { MAX_QUANTITY, parseQuantity, shortageNote } from "#app/features/cart/cart.ts";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { leftToSell } from "#app/office/frame/lines/left-to-sell.ts";
import { formatCedis, timesQuantity } from "#shared/text/money.ts";
import type { PhoneLine } from "./phone-order.ts";

type PhoneOrderLinesProps = {
  lines: readonly PhoneLine[];
  onChange: (lines: readonly PhoneLine[]) => void;
  /** The most copies of a title. */
  most?: number;
};

type QuantityFieldProps = { line: PhoneLine; most: number; onChange: (quantity: number) => void };

/** Shows the input until blur, when an invalid quantity reverts to the last valid one. */
function QuantityField({ line, most, onChange }: QuantityFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      type="number"
      min={1}
      max={most}
      inputMode="numeric"
      aria-label={`Quantity of ${line.title}`}
      className={`${controlClass} w-24!`}
      value={typed ?? line.quantity}
      onChange={({ target }) => {
        setTyped(target.value);
        const quantity = parseQuantity(target.value);
        if (quantity && quantity <= most) onChange(quantity);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

/** What tells a book from others of the same title, and how many there are. */
function factsOf({ publisher, isbn, stock_quantity, kind }: PhoneLine): string {
  const stock = kind === "digital" ? null : leftToSell(stock_quantity);
  return [publisherName(publisher), isbn && `ISBN ${writtenIsbn(isbn)}`, stock].filter(Boolean).join(", ");
}

/** The books of an order being entered or changed. */
export function PhoneOrderLines({ lines, onChange, most = MAX_QUANTITY }: PhoneOrderLinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Books of the order" className="mb-4 border-t border-line">
      {lines.map((line) => (
        <li key={line.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
          <span className="min-w-40 grow basis-60 font-semibold wrap-anywhere">
            {line.title}
            <span className="block text-13 font-normal text-muted">{factsOf(line)}</span>
            {line.quantity > line.stock_quantity && (
              <span className="block text-13 text-clay">{shortageNote(line.stock_quantity)}</span>
            )}
          </span>
          <QuantityField
            line={line}
            most={most}
            onChange={(quantity) =>
              onChange(lines.map((one) => (one.id === line.id ? { ...one, quantity } : one)))
            }
          />
          <span className="figures w-28 text-right">
            {formatCedis(timesQuantity(line.price, line.quantity))}
          </span>
          <IconAction
            icon="trash"
            label={`Remove ${line.title}`}
            onClick={() => onChange(lines.filter(({ id }) => id !== line.id))}
          />
        </li>
      ))}
    </ul>
  );
}
