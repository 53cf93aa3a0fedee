import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import { type BookImportColumn, bookImportColumns } from "#app/features/books/book-import-columns.ts";
import { countOf } from "#app/lib/count-of.ts";
import {
  bookColumnNames,
  type ColumnChoices,
  chooseColumn,
  missingColumn,
  suggestChoices,
} from "./column-choices.ts";
import { ColumnTable } from "./column-table.tsx";
import { type DefaultsErrors, readDefaults, type TypedDefaults } from "./import-defaults.ts";
import type { OpenedFile } from "./new-import.tsx";
import { useStaging } from "./use-staging.ts";

/** What each column is, and what new books get where their row says nothing; then the rows are sent to be checked. */
export function ColumnStep({ file, onBack }: { file: OpenedFile; onBack: () => void }) {
  const { headings, rows } = file.table;
  const [choices, setChoices] = useState<ColumnChoices>(() => suggestChoices(headings, bookImportColumns));
  const [typed, setTyped] = useState<TypedDefaults>({ price: "", stock: "", publisher: "" });
  const [errors, setErrors] = useState<DefaultsErrors>({});
  const navigate = useNavigate();
  const staging = useStaging(file, (importId) => navigate(`?id=${importId}`));
  const missing = missingColumn(choices);
  const settled = staging.done !== null;

  function submit(event: FormEvent) {
    event.preventDefault();
    const { defaults, errors } = readDefaults(typed);
    setErrors(errors ?? {});
    if (defaults && missing === null) staging.start(choices, defaults);
  }
  const choose = (place: number, column: BookImportColumn | null) =>
    setChoices((before) => chooseColumn(before, place, column));
  const defaultField = (field: keyof TypedDefaults) => ({
    value: typed[field],
    error: errors[field],
    disabled: settled,
    onChange: (event: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [field]: event.target.value })),
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <p>
        <bdi className="font-semibold break-all">{file.name}</bdi> has {countOf(rows.length, "row")}. Books
        with the same ID or ISBN are updated, all others are added. You'll review every change before it is
        saved.
      </p>
      {file.table.encoding === "Windows-1252" && (
        <p>
          The file is not UTF-8, so it was read as Windows text. Please check accents and special letters in
          the examples below.
        </p>
      )}
      <section aria-labelledby="columns">
        <h2 id="columns" className="mb-2 text-20">
          Columns
        </h2>
        <ColumnTable
          table={file.table}
          names={bookColumnNames}
          choices={choices}
          disabled={settled}
          onChoose={choose}
        />
        {missing && (
          <p role="alert" className="mt-2 text-clay">
            {missing}
          </p>
        )}
      </section>
      <section aria-labelledby="defaults">
        <h2 id="defaults" className="text-20">
          Defaults for new books
        </h2>
        <div className="mt-2 grid max-w-3xl gap-4 @2xl:grid-cols-3">
          <InputField
            label={bookFieldLabel("price")}
            hint="Left empty, such rows are refused."
            inputMode="decimal"
            {...defaultField("price")}
          />
          <InputField
            label={bookFieldLabel("stock_quantity")}
            hint="Left empty, it is 0."
            inputMode="numeric"
            {...defaultField("stock")}
          />
          <InputField
            label={bookFieldLabel("publisher")}
            hint="May stay empty."
            {...defaultField("publisher")}
          />
        </div>
      </section>
      {staging.done !== null && <StagingProgress done={staging.done} total={rows.length} />}
      {staging.stopped && (
        <p role="alert" className="text-clay">
          The upload was interrupted. Nothing has changed in the shop.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={staging.isPending} disabled={missing !== null}>
          {staging.stopped ? "Try Again" : staging.isPending ? "Sending rows..." : "Check rows"}
        </Button>
        {staging.stopped && (
          <Button variant="secondary" onClick={staging.restart}>
            Change columns
          </Button>
        )}
        <Button variant="secondary" onClick={onBack}>
          Choose another file
        </Button>
      </div>
    </form>
  );
}

function StagingProgress({ done, total }: { done: number; total: number }) {
  return (
    <div className="max-w-xl">
      <p className="figures" id="staging">
        {done.toLocaleString("en-GB")} of {total.toLocaleString("en-GB")} rows sent
      </p>
      <progress aria-labelledby="staging" value={done} max={total} className="w-full accent-green" />
    </div>
  );
}
