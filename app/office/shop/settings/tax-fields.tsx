import { InputField } from "#app/components/field.tsx";
import { taxFacts } from "#app/features/documents/included-taxes.ts";
import { taxSentence } from "#app/features/law/law-values.ts";
import type { Tax } from "#shared/owner/document-terms.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { LineFields, type LinesProps } from "./line-fields.tsx";
import { type TaxCells, taxLines } from "./setting-lines.ts";

const blank: TaxCells = { name: "", percent: "" };

const example = 100_00 as Pesewas;

/** The taxes that the prices include, a line each. */
export function TaxFields(props: LinesProps<TaxCells>) {
  const isComplete = props.lines.every((line) => Object.keys(taxLines.problemsOf(line)).length === 0);
  return (
    <LineFields
      {...props}
      noun="tax"
      blank={blank}
      problemsOf={taxLines.problemsOf}
      preview={isComplete && <TaxPreview taxes={props.lines.map(taxLines.valueOf)} />}
      row={({ line, change, cell }) => (
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-x-4">
          <InputField
            {...cell("name")}
            label="Tax"
            hint="Such as VAT."
            value={line.name}
            onChange={({ target }) => change({ name: target.value })}
          />
          <InputField
            {...cell("percent")}
            label="Percent"
            hint="Such as 15."
            inputMode="decimal"
            value={line.percent}
            onChange={({ target }) => change({ percent: target.value })}
          />
        </div>
      )}
    />
  );
}

function TaxPreview({ taxes }: { taxes: readonly Tax[] }) {
  const facts = taxFacts(example, taxes);
  return (
    <>
      <p>In the terms: “{taxSentence(taxes)}”</p>
      {facts.length > 0 && (
        <>
          <p className="mt-2">On an invoice of {formatCedis(example)}:</p>
          <dl className="figures mt-1 grid max-w-xs grid-cols-[1fr_auto] gap-x-6">
            {facts.map(([name, amount], at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two taxes may be called the same
              <div key={at} className="contents">
                <dt className="text-muted wrap-anywhere">{name}</dt>
                <dd className="text-right">{amount}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}
