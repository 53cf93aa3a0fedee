import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { FileStep } from "#app/office/catalogue/import/file-step.tsx";
import type { OpenedFile } from "#app/office/catalogue/import/new-import.tsx";
import { openBookTable } from "#app/office/catalogue/import/open-book-table.ts";
import { statementColumns } from "./statement-columns.ts";

const EXAMPLE =
  "Date\tTransaction ID\tFrom name\tReference\tAmount\n23/11/2026\t5123456789\tAma Mensah\tOrder 1023\t45.00";

type StatementSourceProps = { onOpened: (file: OpenedFile) => void };

/** Takes a statement as pasted text or as a file. */
export function StatementSource({ onOpened }: StatementSourceProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);

  async function read(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === "") return setProblem("Paste the lines of the statement, or choose a file.");
    setReading(true);
    const name = "Pasted text";
    const opened = await openBookTable(new File([text], name), statementColumns).catch((error: unknown) => {
      logFailure("Reading a statement failed", error);
      return { problem: "The text can't be read. Paste it again." };
    });
    setReading(false);
    if ("table" in opened) onOpened({ name, table: opened.table });
    else setProblem("problem" in opened ? opened.problem : "The text can't be read. Paste it again.");
  }

  return (
    <div className="flex flex-col gap-6">
      <form onSubmit={(event) => void read(event)} noValidate className="max-w-3xl">
        <TextareaField
          label="Lines of the statement"
          name="statement"
          rows={8}
          autoComplete="off"
          spellCheck={false}
          placeholder={EXAMPLE}
          hint="Copy them with the row of headings from the operator's or bank's website or a spreadsheet. Nothing is recorded yet."
          error={problem}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" className="mt-3" busy={reading}>
          Read Lines
        </Button>
      </form>
      <FileStep columns={statementColumns} onOpened={onOpened} />
    </div>
  );
}
