import { CompactSelect } from "#app/components/compact-select.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import type { BookImportColumn } from "#app/features/books/book-import-columns.ts";
import { COLUMN_NAMES, type ColumnChoices, IMPORT_COLUMNS } from "./column-choices.ts";
import type { BookTable } from "./read-book-table.ts";

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
  const columns = headings.map((heading, place) => ({ heading, place }));
  return (
    <ul aria-label="Columns of the file" className="max-w-3xl border-t border-line">
      {columns.map(({ heading, place }) => {
        const name = heading.trim() || `Column ${place + 1}`;
        const examples = rows.slice(0, EXAMPLES).map(({ cells }) => cells[place]?.trim() || "–");
        return (
          <li
            key={place}
            className="grid items-center gap-x-4 gap-y-1 border-b border-line py-2.5 @2xl:grid-cols-[1fr_16rem]"
          >
            <div className="min-w-0">
              <p className="font-semibold break-words">{name}</p>
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
                  {COLUMN_NAMES[column]}
                </option>
              ))}
            </CompactSelect>
          </li>
        );
      })}
    </ul>
  );
}
