import { useId, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { InputField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import { bookImportColumns } from "#app/office/catalogue/book-import/book-import-columns.ts";
import { planOf } from "#app/office/catalogue/book-import/list-plan.ts";
import { sourceOf } from "#app/office/catalogue/book-import/price-conversion.ts";
import {
  bookColumnNames,
  type ColumnChoices,
  mappingOf,
  missingColumn,
  suggestChoices,
} from "./column-choices.ts";
import { FileColumns, ImportActions } from "./file-columns.tsx";
import { ForeignPrices } from "./foreign-prices.tsx";
import { readDefaults, type TypedDefaults } from "./import-defaults.ts";
import type { OpenedFile } from "./new-import.tsx";
import { type LineChoices, OtherLines } from "./other-lines.tsx";
import { readTypedMoney, type TypedMoney } from "./typed-money.ts";
import { useStaging } from "./use-staging.ts";

/** What each column is, and what new books get where their row says nothing; then the rows are sent to be checked. */
export function ColumnStep({ file, onBack }: { file: OpenedFile; onBack: () => void }) {
  const { headings, rows } = file.table;
  const [choices, setChoices] = useState<ColumnChoices>(() => suggestChoices(headings, bookImportColumns));
  const navigate = useNavigate();
  const staging = useStaging(file, (importId) => navigate(`?id=${importId}`));
  const missing = missingColumn(choices);
  const settled = staging.done !== null;
  const [setsStock, setSetsStock] = useState(false);
  const asksForStock = choices.includes("stock_quantity") && !choices.includes("seen_stock");

  const plan = useMemo(
    () => planOf(rows, headings, mappingOf(choices, headings).columns),
    [headings, rows, choices],
  );
  const list = plan.currencies;
  const [lines, setLines] = useState<LineChoices>({ takesUnsure: null, sectionField: null });
  const isUndecided = plan.unsureCount > 0 && lines.takesUnsure === null;
  const readMoney = (typed: TypedMoney) => {
    const base = typed.currency || list.base;
    return { base, ...readTypedMoney(typed, base, [...list.foreign(base ?? "").keys()]) };
  };

  const form = useForm<TypedDefaults & TypedMoney>({
    fields: {
      currency: "",
      rates: {},
      percent: "",
      roundTo: "0.50",
      source: sourceOf(file.name),
      price: "",
      stock: "",
      publisher: "",
    },
    rules: (typed) => ({ ...readDefaults(typed).errors, ...readMoney(typed).errors }),
    send(typed) {
      const { defaults } = readDefaults(typed);
      const { base, conversion } = readMoney(typed);
      if (!defaults || base === null || missing !== null || isUndecided) return;
      const { source } = typed;
      staging.start(
        choices,
        { ...defaults, setsStock: asksForStock && setsStock, conversion, source },
        plan,
        {
          base,
          conversion,
          takesUnsure: lines.takesUnsure === true,
          sectionField: lines.sectionField,
        },
      );
    },
  });
  const { field, formProps, values } = form;
  const money = readMoney(values);
  const defaultField = (name: keyof TypedDefaults) => ({ ...field(name), disabled: settled });

  return (
    <form {...formProps} className="flex flex-col gap-6">
      <FileColumns
        file={file}
        what="Books with the same ID or ISBN are updated, all others are added. "
        names={bookColumnNames}
        choices={choices}
        missing={missing}
        disabled={settled}
        onChange={setChoices}
      />
      <OtherLines plan={plan} choices={lines} disabled={settled} onChange={setLines} />
      <ForeignPrices
        form={form}
        list={list}
        base={money.base}
        conversion={money.conversion}
        disabled={settled}
      />
      <section aria-labelledby="defaults">
        <h2 id="defaults" className="text-20">
          Defaults for new books
        </h2>
        <div className="mt-2 grid max-w-3xl gap-4 @2xl:grid-cols-3">
          <InputField
            label={bookFieldLabel("price")}
            hint="Left empty, such rows are refused."
            inputMode="decimal"
            {...defaultField("price")}
          />
          <InputField
            label={bookFieldLabel("stock_quantity")}
            hint="Left empty, it is 0."
            inputMode="numeric"
            {...defaultField("stock")}
          />
          <InputField
            label={bookFieldLabel("publisher")}
            hint="May stay empty."
            {...defaultField("publisher")}
          />
        </div>
      </section>
      {asksForStock && <StockChoice checked={setsStock} disabled={settled} onChange={setSetsStock} />}
      {staging.done !== null && <StagingProgress done={staging.done} total={rows.length} />}
      {staging.stopped && (
        <p role="alert" className="text-clay">
          The upload was interrupted. Nothing has changed in the shop.
        </p>
      )}
      <ImportActions work={staging} disabled={missing !== null || isUndecided} onBack={onBack}>
        {staging.isPending ? "Sending rows..." : "Check rows"}
      </ImportActions>
    </form>
  );
}

type StockChoiceProps = { checked: boolean; disabled: boolean; onChange: (checked: boolean) => void };

/** A file that doesn't say what the stock was when it was made. */
function StockChoice({ checked, disabled, onChange }: StockChoiceProps) {
  const id = useId();
  return (
    <div className="flex max-w-3xl items-start gap-2">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-5 shrink-0 accent-green"
        aria-describedby={`${id}-about`}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id} className="font-semibold">
          Also replace the stock of existing books
        </label>
        <p id={`${id}-about`} className="text-muted">
          Copies that were sold since the file was made go back on sale. Otherwise these books keep their
          stock, and only new books get the file's.
        </p>
      </div>
    </div>
  );
}

function StagingProgress({ done, total }: { done: number; total: number }) {
  return (
    <div className="max-w-xl">
      <p className="figures" id="staging">
        {done.toLocaleString("en-GB")} of {total.toLocaleString("en-GB")} rows sent
      </p>
      <progress aria-labelledby="staging" value={done} max={total} className="w-full accent-green" />
    </div>
  );
}
