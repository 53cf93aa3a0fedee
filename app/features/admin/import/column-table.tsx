import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { CompactSelect } from "#app/components/office/compact-select.tsx";
import type { BookImportColumn } from "#app/features/books/book-import-columns.ts";
import type { BookTable } from "#app/features/books/book-table.ts";
import { type ColumnChoices, columnName, IMPORT_COLUMNS } from "./column-choices.ts";

/** Rows whose cells are shown as examples. */
const EXAMPLES = 3;

type ColumnTableProps = {
  table: BookTable;
  choices: ColumnChoices;
  disabled: boolean;
  onChoose: (place: number, column: BookImportColumn | null) => void;
};

/** Each column of the file with its first values and what it is taken for. */
export function ColumnTable({ table: { headings, rows }, choices, disabled, onChoose }: ColumnTableProps) {
  const columns = headings.map((_, place) => ({ name: headingOf(headings, place), place }));
  return (
    <ul aria-label="Columns of the file" className="max-w-3xl border-t border-line">
      {columns.map(({ name, place }) => {
        const examples = rows.slice(0, EXAMPLES).map(({ cells }) => cells[place]?.trim() || "–");
        return (
          <li
            key={place}
            className="grid items-center gap-x-4 gap-y-1 border-b border-line py-2.5 @2xl:grid-cols-[1fr_16rem]"
          >
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{name}</p>
              <p className="line-clamp-1 text-13 break-all text-muted">
                <JoinedTexts texts={examples} />
              </p>
            </div>
            <CompactSelect
              aria-label={`${name} is`}
              value={choices[place] ?? ""}
              disabled={disabled}
              onChange={(event) =>
                onChoose(place, IMPORT_COLUMNS.find((column) => column === event.target.value) ?? null)
              }
            >
              <option value="">Leave out</option>
              {IMPORT_COLUMNS.map((column) => (
                <option key={column} value={column}>
                  {columnName(column)}
                </option>
              ))}
            </CompactSelect>
          </li>
        );
      })}
    </ul>
  );
}

/** The heading; if it is empty or not unique, with the column's position. */
function headingOf(headings: readonly string[], place: number): string {
  const heading = headings[place]?.trim() ?? "";
  const twice = headings.some((other, at) => at !== place && other.trim() === heading);
  if (heading === "") return `Column ${place + 1}`;
  return twice ? `${heading} (column ${place + 1})` : heading;
}
