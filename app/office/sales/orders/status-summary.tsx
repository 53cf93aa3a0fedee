import { LoadFailed } from "#app/components/load-failed.tsx";
import type { OrderStatus } from "#app/features/orders/order.ts";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { type OrderRow, type StepBack, tryOrderStatuses } from "./order.admin-queries.ts";
import { planStatus, type StatusPlan } from "./status-plan.ts";

type Change = {
  orders: readonly Pick<OrderRow, "id" | "status">[];
  status: OrderStatus;
  /** The steps back that were chosen. */
  stepsBack: readonly StepBack[];
};

/** What setting the status would do now; `plan` is null until the database has tried it. */
export function useStatusPlan({ orders, status, stepsBack }: Change, { enabled = true } = {}) {
  const ids = orders.map(({ id }) => id);
  const trial = useAdminQuery(
    ["orders", "trial", ids, status, stepsBack],
    (client) => tryOrderStatuses(client, orders, status, stepsBack),
    { fresh: true, keepPrevious: true, enabled },
  );
  return {
    plan: trial.data ? planStatus(trial.data, status, stepsBack) : null,
    isPending: trial.isPending || trial.isPlaceholderData,
    failure: readFailure("what would change", trial),
  };
}

type StatusSummaryProps = ReturnType<typeof useStatusPlan> & {
  stepsBack: readonly StepBack[];
  onChoose: (stepsBack: StepBack[]) => void;
};

/** Says what setting a status would do, and offers what would take orders a step back. */
export function StatusSummary({ plan, failure, stepsBack, onChoose }: StatusSummaryProps) {
  if (failure) return <LoadFailed text={failure.message} onTryAgain={failure.onTryAgain} />;
  if (!plan)
    return (
      <p role="status" className="text-muted">
        Checking what would change …
      </p>
    );
  return (
    <div className="grid gap-3">
      <ul className="figures grid gap-1" aria-live="polite">
        {plan.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {plan.steps.map(({ step, label }) => (
        <label key={step} className="flex min-h-11 items-center gap-2.5 font-semibold">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-green"
            checked={stepsBack.includes(step)}
            onChange={({ target }) =>
              onChoose(target.checked ? [...stepsBack, step] : stepsBack.filter((chosen) => chosen !== step))
            }
          />
          {label}
        </label>
      ))}
      <Problems plan={plan} />
    </div>
  );
}

function Problems({ plan }: { plan: StatusPlan }) {
  if (plan.problems.length === 0) return null;
  return (
    <ul className="list-disc pl-5 text-clay">
      {plan.problems.map(({ id, number, problem }) => (
        <li key={id} className="wrap-anywhere">
          {number === null ? "An order" : `Order ${number}`}: {problem}
        </li>
      ))}
    </ul>
  );
}
