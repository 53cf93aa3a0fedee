import { useState } from "react";
import { bookImportColumns } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { BookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { ColumnStep } from "./column-step.tsx";
import { LastImport, UnfinishedImport } from "./existing-imports.tsx";
import { FileStep } from "./file-step.tsx";
import { ImportSteps } from "./import-steps.tsx";
import { RatedLists } from "./new-rates.tsx";

export type OpenedFile = { name: string; table: BookTable };

/** The first half of an import, only in this browser: the file, then its columns. */
export function NewImport() {
  const [file, setFile] = useState<OpenedFile | null>(null);
  return (
    <>
      <ImportSteps current={file ? "Columns" : "File"} />
      {file ? (
        <ColumnStep file={file} onBack={() => setFile(null)} />
      ) : (
        <div className="flex flex-col gap-5">
          <UnfinishedImport />
          <FileStep columns={bookImportColumns} takesOnix onOpened={setFile} />
          <LastImport />
          <RatedLists />
        </div>
      )}
    </>
  );
}
