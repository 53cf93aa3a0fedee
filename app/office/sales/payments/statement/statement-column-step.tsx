import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { SelectField } from "#app/components/field.tsx";
import { mappingOf } from "#app/office/catalogue/import/column-choices.ts";
import { FileColumns } from "#app/office/catalogue/import/file-columns.tsx";
import type { OpenedFile } from "#app/office/catalogue/import/new-import.tsx";
import { dayOf } from "#app/office/frame/periods/period.ts";
import { paymentMethods } from "#shared/owner/payment-terms.ts";
import { countOf } from "#shared/text/count-of.ts";
import { fitsOneCall, MAX_CREDITS, type StatementMethod } from "./statement.admin-queries.ts";
import {
  guessMethod,
  missingStatementColumn,
  statementColumns,
  suggestStatementChoices,
} from "./statement-columns.ts";
import { type ReadStatement, readStatement } from "./statement-lines.ts";

const METHODS = ["mobile_money", "bank_transfer"] as const satisfies StatementMethod[];

type StatementColumnStepProps = {
  file: OpenedFile;
  onRead: (method: StatementMethod, statement: ReadStatement) => void;
  onBack: () => void;
};

/** Chooses the payment method and what each column is. */
export function StatementColumnStep({ file, onRead, onBack }: StatementColumnStepProps) {
  const { headings, rows } = file.table;
  const [choices, setChoices] = useState(() => suggestStatementChoices(file.table));
  const [method, setMethod] = useState<StatementMethod>(() => guessMethod(choices));
  const [problem, setProblem] = useState<string | null>(null);
  const missing = missingStatementColumn(choices);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (missing !== null) return;
    const statement = readStatement(rows, mappingOf(choices, headings), dayOf(new Date()));
    const count = statement.credits.length;
    if (count > 0 && fitsOneCall(statement.credits)) return onRead(method, statement);
    const [first] = statement.leftOut;
    setProblem(
      count === 0
        ? `No line shows money received. Line ${first?.line}: ${first?.reason} Check the columns.`
        : `The statement has ${countOf(count, "line")} of money received, too much to match at once. Split it into parts of at most ${MAX_CREDITS.toLocaleString("en-GB")} lines, or fewer if their texts are long.`,
    );
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <SelectField
        label="Method"
        className="max-w-xs"
        value={method}
        onChange={({ target }) => setMethod(METHODS.find((one) => one === target.value) ?? method)}
      >
        {METHODS.map((one) => (
          <option key={one} value={one}>
            {paymentMethods[one]}
          </option>
        ))}
      </SelectField>
      <FileColumns
        file={file}
        names={statementColumns}
        choices={choices}
        missing={missing}
        disabled={false}
        onChange={(chosen) => {
          setChoices(chosen);
          setProblem(null);
        }}
      />
      {problem && (
        <p role="alert" className="measure text-clay">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={missing !== null}>
          Find Orders
        </Button>
        <Button variant="secondary" onClick={onBack}>
          Another Statement
        </Button>
      </div>
    </form>
  );
}
