import { useState } from "react";
import { ColumnStep } from "./column-step.tsx";
import { FileStep } from "./file-step.tsx";
import { ImportSteps } from "./import-steps.tsx";
import { LastImport, UnfinishedImport } from "./known-imports.tsx";
import type { BookTable } from "./read-book-table.ts";

export type OpenedFile = { name: string; table: BookTable };

/** The first half of an import, in this browser alone: the file, then what its columns are. */
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
          <FileStep onOpened={setFile} />
          <LastImport />
        </div>
      )}
    </>
  );
}
