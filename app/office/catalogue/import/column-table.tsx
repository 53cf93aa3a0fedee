import { JoinedTexts } from "#app/components/joined-texts.tsx";
import type { BookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { type ColumnChoices, exampleRows, type NamedColumn } from "./column-choices.ts";

type ColumnTableProps<Name extends string> = {
  table: BookTable;
  /** What a column can be taken for. */
  names: readonly NamedColumn<Name>[];
  choices: ColumnChoices<Name>;
  disabled: boolean;
  onChoose: (place: number, column: Name | null) => void;
};

/** Each column of the file with its first values and what it is taken for. */
export function ColumnTable<Name extends string>({
  table: { headings, rows, hiddenColumns },
  names,
  choices,
  disabled,
  onChoose,
}: ColumnTableProps<Name>) {
  const shownRows = exampleRows(rows);
  const columns = headings.map((_, place) => ({ name: headingOf(headings, place), place }));
  return (
    <ul aria-label="Columns of the file" className="max-w-3xl border-t border-line">
      {columns.map(({ name, place }) => {
        const examples = shownRows.map(({ cells }) => cells[place]?.trim() || "–");
        return (
          <li
            key={place}
            className="grid items-center gap-x-4 gap-y-1 border-b border-line py-2.5 @2xl:grid-cols-[1fr_16rem]"
          >
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">
                {name}
                {hiddenColumns?.includes(place) && (
                  <span className="font-normal text-muted"> hidden in the workbook</span>
                )}
              </p>
              <p className="line-clamp-1 text-13 break-all text-muted">
                <JoinedTexts texts={examples} />
              </p>
            </div>
            <CompactSelect
              aria-label={`${name} is`}
              value={choices[place] ?? ""}
              disabled={disabled}
              onChange={(event) =>
                onChoose(place, names.find((one) => one.name === event.target.value)?.name ?? null)
              }
            >
              <option value="">Leave out</option>
              {names.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.label}
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
