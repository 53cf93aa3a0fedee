import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import {
  type ColumnChoices,
  chooseColumn,
  mappingOf,
  suggestChoices,
} from "#app/features/admin/import/column-choices.ts";
import { ColumnTable } from "#app/features/admin/import/column-table.tsx";
import type { OpenedFile } from "#app/features/admin/import/new-import.tsx";
import { countOf } from "#app/lib/count-of.ts";
import { type ListColumn, listColumns, missingListColumn } from "./list-columns.ts";
import { ListProgress } from "./list-progress.tsx";
import { type LooseRow, readLists } from "./list-rows.ts";
import type { ListImport } from "./use-list-import.ts";

type ListColumnStepProps = {
  file: OpenedFile;
  work: ListImport;
  /** The file's rows that belong to no list. */
  onRead: (loose: LooseRow[]) => void;
  onBack: () => void;
};

/** What each column is; then the lists are compared with those of the shop. */
export function ListColumnStep({ file, work, onRead, onBack }: ListColumnStepProps) {
  const { headings, rows, encoding } = file.table;
  const [choices, setChoices] = useState<ColumnChoices<ListColumn>>(() =>
    suggestChoices(headings, listColumns),
  );
  const missing = missingListColumn(choices);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (missing !== null) return;
    const { lists, loose } = readLists(rows, mappingOf(choices, headings));
    onRead(loose);
    work.check(lists);
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <p>
        <bdi className="font-semibold break-all">{file.name}</bdi> has {countOf(rows.length, "row")}. You'll
        review every change before it is saved.
      </p>
      {encoding === "Windows-1252" && (
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
          names={listColumns}
          choices={choices}
          disabled={work.isPending || work.stopped}
          onChoose={(place, column) => setChoices((before) => chooseColumn(before, place, column))}
        />
        {missing && (
          <p role="alert" className="mt-2 text-clay">
            {missing}
          </p>
        )}
      </section>
      {(work.isPending || work.stopped) && <ListProgress {...work.progress} what="checked" />}
      {work.stopped && (
        <p role="alert" className="text-clay">
          The check was interrupted. Nothing has changed in the shop.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={work.isPending} disabled={missing !== null}>
          {work.stopped ? "Try Again" : work.isPending ? "Checking lists..." : "Check lists"}
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
    </form>
  );
}
