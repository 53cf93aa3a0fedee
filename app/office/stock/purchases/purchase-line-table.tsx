import { LineCell, LineRow, LineTable, NumberInput } from "#app/office/frame/lines/line-table.tsx";
import { formatAmount } from "./purchase.ts";
import type { TypedLine, WrongFields } from "./purchase-form.ts";
import { amountOf } from "./use-purchase-editor.ts";

type PurchaseLineTableProps = {
  lines: readonly TypedLine[];
  currency: string;
  wrong: ReadonlyMap<string, WrongFields>;
  onChange: (bookId: string, change: Partial<Pick<TypedLine, "copies" | "price" | "discount">>) => void;
  onRemove: (bookId: string) => void;
};

/** The lines of a purchase order. */
export function PurchaseLineTable({ lines, currency, ...line }: PurchaseLineTableProps) {
  return (
    <LineTable
      label="Lines"
      headings={["Book", "In stock", "Copies", `List price, ${currency}`, "Discount, %", "Amount"]}
    >
      {lines.map((one) => (
        <Line key={one.book_id} line={one} currency={currency} {...line} />
      ))}
    </LineTable>
  );
}

type LineProps = Omit<PurchaseLineTableProps, "lines"> & { line: TypedLine };

function Line({ line, currency, wrong, onChange, onRemove }: LineProps) {
  const { book_id, title, isbn, stock } = line;
  const amount = amountOf(line);
  const input = (name: "copies" | "price" | "discount", label: string, width: string) => (
    <LineCell label={label} className={width}>
      <NumberInput
        inputMode={name === "copies" ? "numeric" : "decimal"}
        label={`${label} of ${title}`}
        wrong={wrong.get(book_id)?.[name]}
        value={line[name]}
        onChange={(typed) => onChange(book_id, { [name]: typed })}
      />
    </LineCell>
  );
  return (
    <LineRow title={title} isbn={isbn} onRemove={() => onRemove(book_id)}>
      <LineCell label="In stock">
        {stock ?? <span className="font-semibold text-clay">Deleted</span>}
      </LineCell>
      {input("copies", "Copies", "@3xl:w-24")}
      {input("price", "List price", "@3xl:w-32")}
      {input("discount", "Discount, %", "@3xl:w-28")}
      <LineCell label="Amount" className="font-semibold whitespace-nowrap">
        {amount === null ? "–" : formatAmount(amount, currency)}
      </LineCell>
    </LineRow>
  );
}
