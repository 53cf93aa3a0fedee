import { useId, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { CheckedLine } from "./checked-lines.ts";
import { findPayableOrder, type PayableOrder } from "./statement.admin-queries.ts";
import { reasonInWords } from "./statement-words.ts";

const OTHER = "other";

/** Outside the component: a new function would take the focus on each render. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus();

type LineOrderProps = {
  checked: CheckedLine;
  disabled: boolean;
  onChoose: (order: PayableOrder | null) => void;
};

/** A line's order and why it was chosen, with a way to choose another. */
export function LineOrder({ checked: { line, match, order }, disabled, onChoose }: LineOrderProps) {
  const box = useRef<HTMLDivElement>(null);
  const [entering, setEntering] = useState(false);
  const reason = reasonInWords(match, line);
  if (match.outcome === "recorded" || match.outcome === "repeated") return reason;
  const isChosen = order !== null && !(match.outcome === "proposed" && match.orders[0]?.id === order.id);
  const isUnlisted = order !== null && !match.orders.some(({ id }) => id === order.id);
  const orders = isUnlisted ? [order, ...match.orders] : match.orders;
  return (
    <div ref={box} className="w-full min-w-0">
      <CompactSelect
        aria-label={`Order for line ${line.line}`}
        className="w-full"
        value={entering ? OTHER : (order?.id ?? "")}
        disabled={disabled}
        onChange={({ target }) => {
          setEntering(target.value === OTHER);
          if (target.value !== OTHER) onChoose(orders.find(({ id }) => id === target.value) ?? null);
        }}
      >
        <option value="">No order</option>
        {orders.map((one) => (
          <option key={one.id} value={one.id}>
            {describe(one)}
          </option>
        ))}
        <option value={OTHER}>Another order…</option>
      </CompactSelect>
      {entering && (
        <OrderByNumber
          line={line.line}
          onFound={(found) => {
            setEntering(false);
            onChoose(found);
            box.current?.querySelector("select")?.focus();
          }}
        />
      )}
      <p className="mt-1 text-13 text-muted wrap-anywhere">
        {isChosen && "You chose this order. "}
        {!(isChosen && match.outcome === "unknown") && reason}
      </p>
    </div>
  );
}

function describe({ number, name, due }: PayableOrder): string {
  return [`${number}: ${formatCedis(due)} due`, name].filter(Boolean).join(", ");
}

function OrderByNumber({ line, onFound }: { line: number; onFound: (order: PayableOrder) => void }) {
  const noteId = useId();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const find = useAdminMutation({
    run: findPayableOrder,
    success: () => null,
    failure: "Failed to find the order",
    onSuccess: (order) => (order ? onFound(order) : setProblem("There is no order with this number.")),
  });
  function submit() {
    const [, number] = /^\s*(?:order|no\.?|#)*\s*(\d{1,15})\s*$/i.exec(typed) ?? [];
    if (number) find.mutate(Number(number));
    else setProblem("Enter the order's number, such as 1023.");
  }
  return (
    <form
      className="mt-1.5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="flex gap-2">
        <input
          ref={takeFocus}
          aria-label={`Order number for line ${line}`}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? noteId : undefined}
          inputMode="numeric"
          autoComplete="off"
          className="min-h-11 w-28 rounded-control border border-line-strong bg-surface px-2.5 text-15 aria-invalid:border-clay @4xl:min-h-9"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" size="small" variant="secondary" busy={find.isPending}>
          Use
        </Button>
      </div>
      {problem && (
        <p id={noteId} role="alert" className="mt-1 text-13 text-clay">
          {problem}
        </p>
      )}
    </form>
  );
}
