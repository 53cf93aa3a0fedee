import type { ReactNode } from "react";
import { controlClass } from "#app/components/control.ts";
import { writtenIsbn } from "#app/features/books/isbn.ts";
import { IconAction } from "#app/office/components/icon-action.tsx";

type LineTableProps = { label: string; headings: readonly string[]; children: ReactNode };

/** A table of editable rows, one per book; on a phone each is a card. The last column removes a row. */
export function LineTable({ label, headings, children }: LineTableProps) {
  return (
    <table aria-label={label} className="figures block w-full @3xl:table">
      <thead className="hidden text-13 text-muted @3xl:table-header-group">
        <tr>
          {headings.map((name, at) => (
            <th
              key={name}
              scope="col"
              className={`border-b border-line-strong px-2 py-1.5 font-semibold ${at === 0 ? "text-left" : "text-right"}`}
            >
              {name}
            </th>
          ))}
          <th scope="col" className="border-b border-line-strong">
            <span className="sr-only">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody className="block @3xl:table-row-group">{children}</tbody>
    </table>
  );
}

type LineRowProps = {
  title: string;
  isbn: string | null;
  /** After the ISBN. */
  note?: string;
  /** Below it. */
  warning?: ReactNode;
  /** The cells between the book and the last column. */
  children: ReactNode;
  /** Null for a row that can't be removed. */
  onRemove: (() => void) | null;
};

export function LineRow({ title, isbn, note, warning, children, onRemove }: LineRowProps) {
  return (
    <tr className="flex flex-col gap-1.5 border-b border-line py-3 @3xl:table-row @3xl:py-0">
      <td className="block @3xl:table-cell @3xl:border-b @3xl:border-line @3xl:px-2 @3xl:py-1.5">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-13 text-muted">
          {isbn ? `ISBN ${writtenIsbn(isbn)}` : "No ISBN"}
          {note}
        </p>
        {warning}
      </td>
      {children}
      <td className="block @max-3xl:-ml-3 @3xl:table-cell @3xl:w-12 @3xl:border-b @3xl:border-line">
        {onRemove && <IconAction icon="trash" label={`Remove ${title}`} onClick={onRemove} />}
      </td>
    </tr>
  );
}

type LineCellProps = { label: string; className?: string; children: ReactNode };

/** A cell of a line; its label is shown on a phone. */
export function LineCell({ label, className = "", children }: LineCellProps) {
  return (
    <td
      data-label={label}
      className={`grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3 before:text-13 before:text-muted before:content-[attr(data-label)] @3xl:table-cell @3xl:border-b @3xl:border-line @3xl:px-2 @3xl:py-1.5 @3xl:text-right @3xl:before:content-none ${className}`}
    >
      {children}
    </td>
  );
}

type NumberInputProps = {
  label: string;
  inputMode: "numeric" | "decimal";
  wrong: boolean | undefined;
  value: string;
  onFocus?: (input: HTMLInputElement) => void;
  onChange: (typed: string) => void;
};

/** The field in a line's cell. */
export function NumberInput({ label, wrong, onFocus, onChange, ...input }: NumberInputProps) {
  return (
    <input
      {...input}
      autoComplete="off"
      aria-label={label}
      aria-invalid={wrong || undefined}
      className={`${controlClass} figures px-2! text-right text-15!`}
      onFocus={({ target }) => onFocus?.(target)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
