import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { paymentMethods } from "#shared/owner/payment-terms.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, sumPesewas } from "#shared/text/money.ts";
import { checkLines, type LineChoice, overpaidOrders } from "./checked-lines.ts";
import { LineTable } from "./line-table.tsx";
import { matchStatement, type StatementMethod } from "./statement.admin-queries.ts";
import type { LeftOutLine, ReadStatement } from "./statement-lines.ts";
import { useRecordStatement } from "./use-record-statement.ts";

type StatementCheckProps = {
  /** The statement's id, which stays the same when its columns are chosen again. */
  id: string;
  at: number;
  method: StatementMethod;
  statement: ReadStatement;
  onColumns: () => void;
  onRestart: () => void;
};

/** Staff check the order of each line, then record the ticked lines together. */
export function StatementCheck({ id, at, method, statement, onColumns, onRestart }: StatementCheckProps) {
  const { credits, leftOut } = statement;
  const [choices, setChoices] = useState<ReadonlyMap<number, LineChoice>>(new Map());
  const [confirming, setConfirming] = useState(false);
  const matches = useAdminQuery(["payments", "statement", at], (client) =>
    matchStatement(client, method, credits),
  );
  const record = useRecordStatement({ id, method }, (lines) => {
    setChoices((before) => new Map([...before].filter(([line]) => !lines.includes(line))));
  });
  const lines = checkLines(credits, matches.data ?? [], { choices, method, recorded: record.recorded });
  const ticked = lines.filter((line) => line.ticked);
  const overpaid = overpaidOrders(ticked);
  const unsaved = useUnsavedChanges(ticked.length > 0 && choices.size > 0, { links: true });
  const failure = readFailure("orders for these lines", matches);

  const change = (line: number, choice: LineChoice) =>
    setChoices((before) => new Map(before).set(line, { ...before.get(line), ...choice }));

  return (
    <div className="flex flex-col gap-4">
      <p>
        {paymentMethods[method]}: {countOf(credits.length, "line")} of money received, together{" "}
        <span className="figures">{formatCedis(sumPesewas(credits.map(({ amount }) => amount)))}</span>.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => unsaved.guard(onColumns)}>
          Change Columns
        </Button>
        <Button variant="secondary" onClick={() => unsaved.guard(onRestart)}>
          Another Statement
        </Button>
      </div>
      <LeftOut lines={leftOut} />
      {record.refused.length > 0 && (
        <Callout tone="warning" scrollsIntoView>
          <p className="font-semibold">Nothing was recorded.</p>
          <ul className="mt-1 list-disc pl-5">
            {record.refused.map(({ line, order_number, message }) => (
              <li key={line} className="wrap-anywhere">
                Line {line}
                {order_number !== null && `, order ${order_number}`}: {message}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {failure && <RetryNote {...failure} />}
      {!failure && !matches.data && <Skeleton className="h-96" />}
      {matches.data && (
        // Keeps a focused element clear of the sticky bar below.
        <div className="**:scroll-mb-32">
          <LineTable lines={lines} disabled={record.isPending} onChange={change} />
        </div>
      )}
      <section
        aria-label="Record"
        className="sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line-strong bg-surface py-3"
      >
        <p role="status" className="figures font-semibold">
          {countOf(ticked.length, "payment")},{" "}
          {formatCedis(sumPesewas(ticked.map(({ line }) => line.amount)))}
          <span className="block text-13 font-normal text-muted">
            Each customer with an email address gets an email.
          </span>
        </p>
        <Button
          busy={record.isPending}
          disabled={ticked.length === 0}
          onClick={() => (overpaid.length > 0 ? setConfirming(true) : record.record(ticked, []))}
        >
          Record {countOf(ticked.length, "payment")}
        </Button>
      </section>
      <ConfirmDialog
        open={confirming}
        question="Record more than is due?"
        confirmLabel="Record it"
        variant="primary"
        onConfirm={() =>
          record.record(
            ticked,
            overpaid.map(({ order }) => order),
          )
        }
        onClose={() => setConfirming(false)}
      >
        <ul>
          {overpaid.slice(0, 5).map(({ order, excess }) => (
            <li key={order.id}>
              Order {order.number}: {formatCedis(excess)} more than is due.
            </li>
          ))}
          {overpaid.length > 5 && <li>{countOf(overpaid.length - 5, "other order")}.</li>}
        </ul>
        <p>You will have to refund the difference.</p>
      </ConfirmDialog>
      {unsaved.question}
    </div>
  );
}

/** The most reasons shown, and the most lines listed for each. */
const MAX_SHOWN = 20;

/** Lines that are not money received, grouped by reason. */
function LeftOut({ lines }: { lines: readonly LeftOutLine[] }) {
  if (lines.length === 0) return null;
  const reasons = linesByReason(lines);
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold text-green">
        {countOf(lines.length, "line is", "lines are")} left out
      </summary>
      <ul className="pb-2">
        {reasons.slice(0, MAX_SHOWN).map(([reason, group]) => (
          <li key={reason} className="wrap-anywhere">
            <bdi>{reason}</bdi>{" "}
            <span className="figures text-muted">
              {group.length === 1 ? "Line " : "Lines "}
              {group.slice(0, MAX_SHOWN).join(", ")}
              {group.length > MAX_SHOWN && ` and ${countOf(group.length - MAX_SHOWN, "more", "more")}`}
            </span>
          </li>
        ))}
        {reasons.length > MAX_SHOWN && (
          <li>And {countOf(reasons.length - MAX_SHOWN, "other reason", "other reasons")}.</li>
        )}
      </ul>
    </details>
  );
}

function linesByReason(lines: readonly LeftOutLine[]): [reason: string, lines: number[]][] {
  const byReason = new Map<string, number[]>();
  for (const { line, reason } of lines) {
    const existing = byReason.get(reason);
    if (existing) existing.push(line);
    else byReason.set(reason, [line]);
  }
  return [...byReason];
}
