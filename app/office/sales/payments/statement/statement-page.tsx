import { useState } from "react";
import { ImportSteps } from "#app/office/catalogue/import/import-steps.tsx";
import type { OpenedFile } from "#app/office/catalogue/import/new-import.tsx";
import { newUuid } from "#shared/text/new-uuid.ts";
import type { StatementMethod } from "./statement.admin-queries.ts";
import { StatementCheck } from "./statement-check.tsx";
import { StatementColumnStep } from "./statement-column-step.tsx";
import { withOwnHeadings } from "./statement-columns.ts";
import type { ReadStatement } from "./statement-lines.ts";
import { StatementSource } from "./statement-source.tsx";

const STEPS = ["Statement", "Columns", "Check"] as const;

type Reading = { at: number; method: StatementMethod; statement: ReadStatement };

/** Records a statement's payments in three steps: its text or file, its columns, and a check of each line's order. */
export function StatementPage() {
  const [file, setFile] = useState<(OpenedFile & { id: string }) | null>(null);
  const [reading, setReading] = useState<Reading | null>(null);
  const step = reading ? "Check" : file ? "Columns" : "Statement";
  return (
    <>
      <ImportSteps current={step} steps={STEPS} />
      {step === "Statement" && (
        <StatementSource
          onOpened={({ name, table }) => setFile({ id: newUuid(), name, table: withOwnHeadings(table) })}
        />
      )}
      {file && (
        // Hidden during the check, so that the chosen columns are still there when staff go back.
        <div hidden={step !== "Columns"}>
          <StatementColumnStep
            key={file.id}
            file={file}
            onRead={(method, statement) => setReading({ at: Date.now(), method, statement })}
            onBack={() => setFile(null)}
          />
        </div>
      )}
      {file && reading && (
        <StatementCheck
          key={reading.at}
          {...reading}
          id={file.id}
          onColumns={() => setReading(null)}
          onRestart={() => {
            setReading(null);
            setFile(null);
          }}
        />
      )}
    </>
  );
}
