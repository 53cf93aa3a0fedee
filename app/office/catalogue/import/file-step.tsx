import { useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { useField } from "#app/components/field.tsx";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { MAX_ROWS_AT_ONCE } from "#app/office/catalogue/book-import/book-import.queries.ts";
import type { KnownColumn } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { SheetChoice } from "#app/office/catalogue/book-import/workbook-table.ts";
import type { OpenedFile } from "./new-import.tsx";
import { openBookTable } from "./open-book-table.ts";

const TABLES = ".xlsx,.xlsm,.csv,.tsv,.txt,text/csv,text/tab-separated-values";

type FileStepProps = {
  /** What is looked for in the file. */
  columns: readonly KnownColumn[];
  /** An ONIX message is taken, too. */
  takesOnix?: boolean;
  onOpened: (file: OpenedFile) => void;
};

/** Chooses and reads a file; any problem is shown under the picker. */
export function FileStep({ columns, takesOnix = false, onOpened }: FileStepProps) {
  const [reading, setReading] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const newest = useRef(0);
  const [choice, setChoice] = useState<(SheetChoice & { file: File }) | null>(null);
  const hint = `An Excel (.xlsx) or CSV file with a line of headings${takesOnix ? ", or a publisher's ONIX message (.xml or .zip). At" : " and at"} most ${MAX_ROWS_AT_ONCE.toLocaleString("en-GB")} rows.`;
  const { id, noteId, aria } = useField({ hint, error: problem });

  async function open(file: File | undefined, sheet?: string) {
    if (!file) return;
    newest.current += 1;
    const turn = newest.current;
    setProblem(null);
    setChoice(null);
    setReading(file.name);
    const opened = await openBookTable(file, columns, { sheet, takesOnix }).catch((error: unknown) => {
      logFailure("Reading a table failed", error);
      return { problem: "The file cannot be read. Choose it again." };
    });
    // Another file may have been chosen since.
    if (turn !== newest.current) return;
    setReading(null);
    if ("problem" in opened) setProblem(opened.problem);
    else if ("sheets" in opened) setChoice({ file, ...opened });
    else onOpened({ name: file.name, table: opened.table });
  }

  return (
    <div className="max-w-2xl">
      <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
        {takesOnix ? "Excel, ONIX or CSV file" : "Excel or CSV file"}
      </label>
      <input
        id={id}
        type="file"
        accept={
          takesOnix ? `${TABLES},.xml,.onx,.onix,.zip,text/xml,application/xml,application/zip` : TABLES
        }
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
        {choice && `${choice.file.name} has ${choice.sheets.length} sheets. Which one do you want to import?`}
      </p>
      {choice && <Sheets {...choice} onChoose={(sheet) => void open(choice.file, sheet)} />}
    </div>
  );
}

function Sheets({
  sheets,
  hiddenSheets,
  proposed,
  onChoose,
}: SheetChoice & { onChoose: (sheet: string) => void }) {
  return (
    <>
      <ul aria-label="Sheets" className="mt-2 flex flex-wrap gap-3">
        {sheets.map((sheet) => (
          <li key={sheet}>
            <Button variant={sheet === proposed ? "primary" : "secondary"} onClick={() => onChoose(sheet)}>
              {sheet}
            </Button>
          </li>
        ))}
      </ul>
      {proposed !== undefined && (
        <p className="mt-2 text-muted">
          <bdi>{proposed}</bdi> has the headings of a list of books.
        </p>
      )}
      {hiddenSheets.length > 0 && (
        <>
          <p className="mt-4">Hidden in the workbook:</p>
          <ul aria-label="Hidden sheets" className="mt-2 flex flex-wrap gap-3">
            {hiddenSheets.map((sheet) => (
              <li key={sheet}>
                <Button variant="secondary" onClick={() => onChoose(sheet)}>
                  {sheet}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
