import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { type ColumnChoices, chooseColumn, type NamedColumn } from "./column-choices.ts";
import { ColumnTable } from "./column-table.tsx";
import type { OpenedFile } from "./new-import.tsx";

type FileColumnsProps<Name extends string> = {
  file: OpenedFile;
  /** What will happen to its rows, besides being reviewed. */
  what?: string;
  names: readonly NamedColumn<Name>[];
  choices: ColumnChoices<Name>;
  /** A message naming the column still to be chosen. */
  missing: string | null;
  disabled: boolean;
  onChange: (choices: ColumnChoices<Name>) => void;
};

/** How many rows an uploaded file has, and what each of its columns means. */
export function FileColumns<Name extends string>({
  file: { name, table },
  what = "",
  names,
  choices,
  missing,
  disabled,
  onChange,
}: FileColumnsProps<Name>) {
  return (
    <>
      <p>
        <bdi className="font-semibold break-all">{name}</bdi>
        {table.sheet && (
          <>
            , sheet <bdi className="font-semibold">{table.sheet}</bdi>,
          </>
        )}{" "}
        has {countOf(table.rows.length, "row")}. {what}
        You'll review every change before it is saved.
      </p>
      {table.hiddenSheets && table.hiddenSheets.length > 0 && (
        <p>
          {countOf(table.hiddenSheets.length, "sheet")} {table.hiddenSheets.length === 1 ? "is" : "are"}{" "}
          hidden in the workbook and left out: <bdi>{table.hiddenSheets.join(", ")}</bdi>. To import a hidden
          sheet, show it in Excel, save the file, and choose it again.
        </p>
      )}
      {table.encoding === "Windows-1252" && (
        <p>
          The file doesn't say how its letters are stored, so it was read as Windows text. Please check
          accents and special letters in the examples below.
        </p>
      )}
      <section aria-labelledby="columns">
        <h2 id="columns" className="mb-2 text-20">
          Columns
        </h2>
        <ColumnTable
          table={table}
          names={names}
          choices={choices}
          disabled={disabled}
          onChoose={(place, column) => onChange(chooseColumn(choices, place, column))}
        />
        {missing && (
          <p role="alert" className="mt-2 text-clay">
            {missing}
          </p>
        )}
      </section>
    </>
  );
}

type ImportActionsProps = {
  /** The sending or checking of the rows. */
  work: { isPending: boolean; stopped: boolean; restart: () => void };
  disabled: boolean;
  onBack: () => void;
  /** The main button's label. */
  children: ReactNode;
};

/** Sends the rows, tries again after an interruption, or goes back. */
export function ImportActions({ work, disabled, onBack, children }: ImportActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={work.isPending} disabled={disabled}>
        {work.stopped ? "Try Again" : children}
      </Button>
      {work.stopped && (
        <Button variant="secondary" onClick={work.restart}>
          Change columns
        </Button>
      )}
      <Button variant="secondary" onClick={onBack}>
        Choose another file
      </Button>
    </div>
  );
}
