import { useRef, useState } from "react";
import { useField } from "#app/components/field.tsx";
import { MAX_ROWS_AT_ONCE } from "#app/features/book-import/book-import.queries.ts";
import type { KnownColumn } from "#app/features/book-import/book-import-columns.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import type { OpenedFile } from "./new-import.tsx";
import { openBookTable } from "./open-book-table.ts";

type FileStepProps = {
  /** What is looked for in the file. */
  columns: readonly KnownColumn[];
  onOpened: (file: OpenedFile) => void;
};

/** Chooses and reads a file; any problem is shown under the picker. */
export function FileStep({ columns, onOpened }: FileStepProps) {
  const [reading, setReading] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const newest = useRef(0);
  const hint = `A CSV file with a line of headings and at most ${MAX_ROWS_AT_ONCE.toLocaleString("en-GB")} rows. From Excel: Save As, 'CSV UTF-8'.`;
  const { id, noteId, aria } = useField({ hint, error: problem });

  async function open(file: File | undefined) {
    if (!file) return;
    newest.current += 1;
    const turn = newest.current;
    setProblem(null);
    setReading(file.name);
    const opened = await openBookTable(file, columns).catch((error: unknown) => {
      logFailure("Reading a table failed", error);
      return { problem: "The file cannot be read. Choose it again." };
    });
    // Another file may have been chosen since.
    if (turn !== newest.current) return;
    setReading(null);
    if ("problem" in opened) setProblem(opened.problem);
    else onOpened({ name: file.name, table: opened.table });
  }

  return (
    <div className="max-w-2xl">
      <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
        CSV file
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        className="w-full rounded-control border border-line-strong bg-surface p-2 file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-control file:border-0 file:bg-tint file:px-3 file:font-semibold file:text-green hover:border-green"
        {...aria}
        onChange={(event) => {
          void open(event.target.files?.[0]);
          // So that the same file, corrected, can be chosen again.
          event.target.value = "";
        }}
      />
      <p
        id={noteId}
        role={problem ? "alert" : undefined}
        className={`mt-1.5 ${problem ? "text-clay" : "text-muted"}`}
      >
        {problem ?? hint}
      </p>
      <p role="status" className="mt-1 min-h-6 font-semibold">
        {reading && `Reading ${reading}...`}
      </p>
    </div>
  );
}
