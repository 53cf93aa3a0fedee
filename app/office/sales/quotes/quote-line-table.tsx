import { hasRequested, shortageOf } from "#app/features/quotes/quote.ts";
import { LineCell, LineRow, LineTable, NumberInput } from "#app/office/frame/lines/line-table.tsx";
import { formatCedis, timesQuantity } from "#shared/text/money.ts";
import { readQuotedPrice, readQuotedQuantity, type TypedLine } from "./quote-form.ts";

type QuoteLineTableProps = {
  lines: readonly TypedLine[];
  wrong: ReadonlyMap<string, { quantity: boolean; price: boolean }>;
  /** An accepted quote can only be read. */
  readOnly: boolean;
  onChange: (bookId: string, change: Partial<Pick<TypedLine, "quantity" | "price">>) => void;
  onRemove: (bookId: string) => void;
};

/** The lines of a quote. */
export function QuoteLineTable({ lines, ...line }: QuoteLineTableProps) {
  const isRequest = hasRequested(lines);
  return (
    <LineTable
      label="Lines"
      headings={["Book", "In stock", "Quantity", "Shop price", "Unit price", "Amount"]}
    >
      {lines.map((one) => (
        <Line
          key={one.book_id}
          line={one}
          note={!one.requested && isRequest ? ", added by us" : ""}
          {...line}
        />
      ))}
    </LineTable>
  );
}

type LineProps = Omit<QuoteLineTableProps, "lines"> & { line: TypedLine; note: string };

function Line({ line, note, wrong, readOnly, onChange, onRemove }: LineProps) {
  const { book_id, title, isbn, stock, shop_price } = line;
  const quantity = readQuotedQuantity(line.quantity);
  const price = readQuotedPrice(line.price);
  const shortage = readOnly ? null : shortageOf({ stock, quantity: quantity ?? 0 });
  return (
    <LineRow title={title} isbn={isbn} note={note} onRemove={readOnly ? null : () => onRemove(book_id)}>
      <LineCell label="In stock">
        <span className={shortage ? "font-semibold text-clay" : ""}>{shortage ?? stock ?? "–"}</span>
      </LineCell>
      <LineCell label="Quantity" className="@3xl:w-24">
        {readOnly ? (
          line.quantity
        ) : (
          <NumberInput
            inputMode="numeric"
            label={`Quantity of ${title}`}
            wrong={wrong.get(book_id)?.quantity}
            value={line.quantity}
            onChange={(typed) => onChange(book_id, { quantity: typed })}
          />
        )}
      </LineCell>
      <LineCell label="Shop price" className="whitespace-nowrap">
        {formatCedis(shop_price)}
      </LineCell>
      <LineCell label="Unit price" className="@3xl:w-32">
        {readOnly ? (
          formatCedis(price ?? shop_price)
        ) : (
          <NumberInput
            inputMode="decimal"
            label={`Unit price of ${title}, in cedis`}
            wrong={wrong.get(book_id)?.price}
            value={line.price}
            onChange={(typed) => onChange(book_id, { price: typed })}
          />
        )}
      </LineCell>
      <LineCell label="Amount" className="font-semibold whitespace-nowrap">
        {quantity === null || price === null ? "–" : formatCedis(timesQuantity(price, quantity))}
      </LineCell>
    </LineRow>
  );
}
