import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { CheckedLine, LineChoice } from "./checked-lines.ts";
import { LineOrder } from "./line-order.tsx";

const KINDS = [
  { kind: "proposed", label: "Order found", outcomes: ["proposed"] },
  { kind: "doubtful", label: "Needs a decision", outcomes: ["doubtful"] },
  { kind: "unknown", label: "No order", outcomes: ["unknown"] },
  { kind: "recorded", label: "Already recorded", outcomes: ["recorded", "repeated"] },
] as const;

type Kind = (typeof KINDS)[number]["kind"];

const PAGE = 50;

type LineTableProps = {
  lines: readonly CheckedLine[];
  disabled: boolean;
  onChange: (line: number, choice: LineChoice) => void;
};

/** Shows one kind of line at a time, each with what will be recorded. */
export function LineTable({ lines, disabled, onChange }: LineTableProps) {
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [shown, setShown] = useState(PAGE);
  const groups = KINDS.map(({ kind, label, outcomes }) => ({
    kind,
    label,
    rows: lines.filter(({ match }) => outcomes.some((outcome) => outcome === match.outcome)),
  }));
  const group = groups.find(({ kind }) => kind === chosen) ?? groups.find(({ rows }) => rows.length > 0);
  const rows = group?.rows ?? [];
  return (
    <>
      <DataTable
        label="Lines of the statement"
        toolbar={
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">Kinds of lines</legend>
            {groups.map(({ kind, label, rows: { length } }) => (
              <Button
                key={kind}
                variant={kind === group?.kind ? "primary" : "secondary"}
                aria-pressed={kind === group?.kind}
                onClick={() => {
                  setChosen(kind);
                  setShown(PAGE);
                }}
              >
                {label} {length.toLocaleString("en-GB")}
              </Button>
            ))}
          </fieldset>
        }
        columns={columnsFor({ disabled, onChange })}
        rows={rows.slice(0, shown)}
        rowId={({ line }) => String(line.line)}
        empty="No lines of this kind"
        failure={null}
      />
      {rows.length > shown && (
        <Button variant="secondary" className="mt-2" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, rows.length - shown)} more
        </Button>
      )}
    </>
  );
}

function columnsFor({
  disabled,
  onChange,
}: Pick<LineTableProps, "disabled" | "onChange">): DataColumn<CheckedLine>[] {
  return [
    {
      id: "ticked",
      header: "Record",
      className: "@4xl:w-16 @4xl:min-w-0! @4xl:align-top",
      cell: ({ line, order, ticked, obstacle }) => (
        <label className="-my-2.5 inline-flex min-h-11 min-w-11 items-center @4xl:-my-0.5 @4xl:min-h-8">
          <input
            type="checkbox"
            aria-label={`Record line ${line.line}`}
            className="size-5 accent-green"
            checked={ticked}
            disabled={disabled || order === null || obstacle !== null}
            onChange={({ target }) => onChange(line.line, { ticked: target.checked })}
          />
        </label>
      ),
    },
    {
      id: "line",
      header: "Line",
      className: "figures @4xl:w-12 @4xl:min-w-0! @4xl:align-top",
      cell: ({ line }) => line.line,
    },
    {
      id: "day",
      header: "Day",
      className: "figures whitespace-nowrap @4xl:align-top",
      cell: ({ line }) => formatDay(line.day),
    },
    {
      id: "payer",
      header: "Payer and text",
      className: "wrap-anywhere @4xl:align-top @4xl:w-1/3",
      cell: ({ line: { name, phone, narration, reference }, obstacle }) => (
        <div className="min-w-0">
          {(name || phone) && (
            <p className="font-semibold">
              <bdi>{[name, phone].filter(Boolean).join(", ")}</bdi>
            </p>
          )}
          {narration && (
            <p>
              <bdi>{narration}</bdi>
            </p>
          )}
          {reference && (
            <p className="text-13 text-muted">
              ID <bdi>{reference}</bdi>
            </p>
          )}
          {obstacle && <p className="text-13 text-clay">{obstacle}</p>}
        </div>
      ),
    },
    {
      id: "order",
      header: "Order",
      className: "@4xl:align-top @4xl:w-2/5",
      cell: (checked) => (
        <LineOrder
          checked={checked}
          disabled={disabled}
          onChoose={(order) => onChange(checked.line.line, { order, ticked: order !== null })}
        />
      ),
    },
    {
      id: "amount",
      header: "Amount",
      align: "right",
      className: "figures font-semibold whitespace-nowrap @4xl:align-top",
      cell: ({ line }) => formatCedis(line.amount),
    },
  ];
}
