import { controlClass } from "#app/components/control.ts";
import { IconAction } from "#app/components/office/icon-action.tsx";
import { formatIsbn } from "#app/features/books/isbn.ts";
import { shortageOf } from "#app/features/quotes/quote.ts";
import { formatCedis, timesQuantity } from "#app/lib/money.ts";
import { readQuotedPrice, readQuotedQuantity, type TypedLine } from "./quote-form.ts";

type QuoteLineTableProps = {
  lines: readonly TypedLine[];
  wrong: ReadonlyMap<string, { quantity: boolean; price: boolean }>;
  /** An accepted quote can only be read. */
  readOnly: boolean;
  onChange: (bookId: string, change: Partial<Pick<TypedLine, "quantity" | "price">>) => void;
  onRemove: (bookId: string) => void;
};

const numberClass = `${controlClass} figures px-2! text-right text-15!`;

/** The lines of a quote: on a phone each is a card. */
export function QuoteLineTable({ lines, wrong, readOnly, onChange, onRemove }: QuoteLineTableProps) {
  return (
    <table aria-label="Lines" className="figures block w-full @3xl:table">
      <thead className="hidden text-13 text-muted @3xl:table-header-group">
        <tr>
          {["Book", "In stock", "Quantity", "Shop price", "Unit price", "Amount", "Remove"].map(
            (name, at) => (
              <th
                key={name}
                scope="col"
                className={`border-b border-line-strong px-2 py-1.5 font-semibold ${at === 0 ? "text-left" : "text-right"}`}
              >
                <span className={name === "Remove" ? "sr-only" : undefined}>{name}</span>
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className="block @3xl:table-row-group">
        {lines.map((line) => (
          <Line
            key={line.book_id}
            line={line}
            wrong={wrong.get(line.book_id)}
            readOnly={readOnly}
            onChange={onChange}
            onRemove={onRemove}
          />
        ))}
      </tbody>
    </table>
  );
}

type LineProps = Omit<QuoteLineTableProps, "lines" | "wrong"> & {
  line: TypedLine;
  wrong: { quantity: boolean; price: boolean } | undefined;
};

const cell =
  "grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3 before:text-13 before:text-muted before:content-[attr(data-label)] @3xl:table-cell @3xl:border-b @3xl:border-line @3xl:px-2 @3xl:py-1.5 @3xl:text-right @3xl:before:content-none";

function Line({ line, wrong, readOnly, onChange, onRemove }: LineProps) {
  const { book_id, title, isbn, stock, shop_price } = line;
  const quantity = readQuotedQuantity(line.quantity);
  const price = readQuotedPrice(line.price);
  const shortage = shortageOf({ stock, quantity: quantity ?? 0 });
  return (
    <tr className="flex flex-col gap-1.5 border-b border-line py-3 @3xl:table-row @3xl:py-0">
      <td className="block @3xl:table-cell @3xl:border-b @3xl:border-line @3xl:px-2 @3xl:py-1.5">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-13 text-muted">
          {isbn ? `ISBN ${formatIsbn(isbn)}` : "No ISBN"}
          {!line.requested && ", added by us"}
        </p>
      </td>
      <td data-label="In stock" className={cell}>
        <span className={shortage ? "font-semibold text-clay" : ""}>{shortage ?? stock}</span>
      </td>
      <td data-label="Quantity" className={`${cell} @3xl:w-24`}>
        {readOnly ? (
          line.quantity
        ) : (
          <input
            inputMode="numeric"
            autoComplete="off"
            aria-label={`Quantity of ${title}`}
            aria-invalid={wrong?.quantity || undefined}
            className={numberClass}
            value={line.quantity}
            onChange={({ target }) => onChange(book_id, { quantity: target.value })}
          />
        )}
      </td>
      <td data-label="Shop price" className={`${cell} whitespace-nowrap`}>
        {formatCedis(shop_price)}
      </td>
      <td data-label="Unit price" className={`${cell} @3xl:w-32`}>
        {readOnly ? (
          formatCedis(price ?? shop_price)
        ) : (
          <input
            inputMode="decimal"
            autoComplete="off"
            aria-label={`Unit price of ${title}, in cedis`}
            aria-invalid={wrong?.price || undefined}
            className={numberClass}
            value={line.price}
            onChange={({ target }) => onChange(book_id, { price: target.value })}
          />
        )}
      </td>
      <td data-label="Amount" className={`${cell} font-semibold whitespace-nowrap`}>
        {quantity === null || price === null ? "–" : formatCedis(timesQuantity(price, quantity))}
      </td>
      <td className="block @max-3xl:-ml-3 @3xl:table-cell @3xl:w-12 @3xl:border-b @3xl:border-line">
        {!readOnly && <IconAction icon="trash" label={`Remove ${title}`} onClick={() => onRemove(book_id)} />}
      </td>
    </tr>
  );
}
