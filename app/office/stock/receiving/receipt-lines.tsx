import { LineCell, LineRow, LineTable, NumberInput } from "#app/office/frame/lines/line-table.tsx";
import { describeDifference, readCount, type TypedLine } from "./receipt-form.ts";

type ReceiptLinesProps = {
  lines: readonly TypedLine[];
  currency: string;
  /** Whether they are received against a purchase order, which has the costs of its books. */
  isOrdered: boolean;
  wrong: ReadonlySet<string>;
  onChange: (bookId: string, change: Partial<TypedLine>) => void;
  onRemove: (bookId: string) => void;
};

/** The counted copies, one row per title. */
export function ReceiptLines({ lines, ...line }: ReceiptLinesProps) {
  return (
    <LineTable
      label="Counted"
      headings={["Book", "Expected", "Copies", "Damaged", `Cost per copy, ${line.currency}`]}
    >
      {lines.map((one) => (
        <Line key={one.book_id} line={one} {...line} />
      ))}
    </LineTable>
  );
}

type LineProps = Omit<ReceiptLinesProps, "lines"> & { line: TypedLine };

function Line({ line, isOrdered, wrong, onChange, onRemove }: LineProps) {
  const { book_id, title, isbn, expected } = line;
  const counted = { expected, copies: readCount(line.copies) ?? 0, damaged: readCount(line.damaged) ?? 0 };
  const hasArrived = counted.copies + counted.damaged > 0;
  const difference = hasArrived ? describeDifference(counted, isOrdered) : "";
  const input = (name: "copies" | "damaged" | "cost", label: string) => (
    <NumberInput
      inputMode={name === "cost" ? "decimal" : "numeric"}
      label={`${label} of ${title}`}
      wrong={wrong.has(book_id)}
      value={line[name]}
      onFocus={(field) => field.select()}
      onChange={(typed) => onChange(book_id, { [name]: typed })}
    />
  );
  return (
    <LineRow
      title={title}
      isbn={isbn}
      warning={difference && <p className="text-13 font-semibold text-clay">{difference}</p>}
      onRemove={expected === null ? () => onRemove(book_id) : null}
    >
      <LineCell label="Expected">{expected ?? "–"}</LineCell>
      <LineCell label="Copies" className="@3xl:w-24">
        {input("copies", "Copies")}
      </LineCell>
      <LineCell label="Damaged" className="@3xl:w-24">
        {input("damaged", "Damaged copies")}
      </LineCell>
      <LineCell label="Cost per copy" className="@3xl:w-36">
        {expected === null ? input("cost", "Cost per copy") : <span className="text-13">As ordered</span>}
      </LineCell>
    </LineRow>
  );
}
