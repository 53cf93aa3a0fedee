import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { InputField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import { type ListPlan, planOf } from "#app/office/catalogue/book-import/list-plan.ts";
import { sourceOf } from "#app/office/catalogue/book-import/price-conversion.ts";
import { countOf } from "#shared/text/count-of.ts";
import { CheckLine } from "./check-line.tsx";
import {
  bookColumnNames,
  type ColumnChoices,
  mappingOf,
  missingColumn,
  suggestBookColumns,
  undecidedColumns,
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
  const { headings, rows, hiddenColumns } = file.table;
  const [suggested] = useState(() => suggestBookColumns(headings, hiddenColumns));
  const [choices, setChoices] = useState<ColumnChoices>(suggested.choices);
  const navigate = useNavigate();
  const staging = useStaging(file, (importId) => navigate(`?id=${importId}`));
  const missing = missingColumn(choices) ?? undecidedColumns(suggested.doubles, choices, headings);
  const settled = staging.done !== null;
  const [setsStock, setSetsStock] = useState(false);
  const asksForStock = choices.includes("stock_quantity") && !choices.includes("seen_stock");

  const [takesHidden, setTakesHidden] = useState(false);
  const hiddenRows = rows.filter(({ hidden }) => hidden).length;
  const plan = useMemo(
    () => planOf(rows, headings, mappingOf(choices, headings).columns, takesHidden),
    [headings, rows, choices, takesHidden],
  );
  const list = plan.currencies;
  const [answered, setAnswered] = useState<LineChoices & { plan: ListPlan | null }>({
    takesUnsure: null,
    sectionField: null,
    plan: null,
  });
  // Other columns make other lines unsure.
  const lines = answered.plan === plan ? answered : { ...answered, takesUnsure: null };
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
          takesUnsure: lines.takesUnsure ?? false,
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
      {hiddenRows === 0 && hiddenColumns && (
        <p className="max-w-3xl">
          {countOf(hiddenColumns.length, "column")} {hiddenColumns.length === 1 ? "is" : "are"} hidden in the
          workbook and left out, until you say what {hiddenColumns.length === 1 ? "it is" : "they are"}.
        </p>
      )}
      {hiddenRows > 0 && (
        <HiddenRows count={hiddenRows} checked={takesHidden} disabled={settled} onChange={setTakesHidden} />
      )}
      {plan.hasCountsOfCopies && (
        <p className="max-w-3xl">
          The column taken for the availability has numbers of copies, not codes, and is left out. Choose
          “Stock Quantity” to take them.
        </p>
      )}
      <OtherLines
        plan={plan}
        choices={lines}
        disabled={settled}
        onChange={(chosen) => setAnswered({ ...chosen, plan })}
      />
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
            hint="For rows without a price. Without it they can't be imported."
            inputMode="decimal"
            {...defaultField("price")}
          />
          <InputField
            label={bookFieldLabel("stock_quantity")}
            hint="For rows without a stock. Left empty, it is 0, and customers can't order them."
            inputMode="numeric"
            {...defaultField("stock")}
          />
          <InputField
            label={bookFieldLabel("publisher")}
            hint="For rows without a publisher. May stay empty."
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

type ChoiceProps = { checked: boolean; disabled: boolean; onChange: (checked: boolean) => void };

/** Rows that a workbook hides, by hand or by a filter. */
function HiddenRows({ count, ...box }: ChoiceProps & { count: number }) {
  return (
    <CheckLine
      {...box}
      label="Also import hidden rows"
      about={`${countOf(count, "row")} ${count === 1 ? "is" : "are"} hidden in the workbook and left out. Hidden columns are left out too, until you say what they are.`}
    />
  );
}

/** A file that doesn't say what the stock was when it was made. */
function StockChoice(box: ChoiceProps) {
  return (
    <CheckLine
      {...box}
      label="Also replace the stock of existing books"
      about="Copies that were sold since the file was made go back on sale. Otherwise these books keep their stock, and only new books get the file's. If they are the supplier's copies and not yours, choose “Leave out” for the column."
    />
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
