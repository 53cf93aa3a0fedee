import { type FormEvent, useState } from "react";
import {
  type ColumnChoices,
  mappingOf,
  suggestChoices,
} from "#app/office/catalogue/import/column-choices.ts";
import { FileColumns, ImportActions } from "#app/office/catalogue/import/file-columns.tsx";
import type { OpenedFile } from "#app/office/catalogue/import/new-import.tsx";
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

/** Chooses what each column means, then compares the lists with those in the shop. */
export function ListColumnStep({ file, work, onRead, onBack }: ListColumnStepProps) {
  const { headings, rows } = file.table;
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
      <FileColumns
        file={file}
        names={listColumns}
        choices={choices}
        missing={missing}
        disabled={work.isPending || work.stopped}
        onChange={setChoices}
      />
      {(work.isPending || work.stopped) && <ListProgress {...work.progress} what="checked" />}
      {work.stopped && (
        <p role="alert" className="text-clay">
          The check was interrupted. Nothing has changed in the shop.
        </p>
      )}
      <ImportActions work={work} disabled={missing !== null} onBack={onBack}>
        {work.isPending ? "Checking lists..." : "Check lists"}
      </ImportActions>
    </form>
  );
}
