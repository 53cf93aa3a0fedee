import { Link } from "react-router";
import { Skeleton } from "#app/components/skeleton.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { usePaymentsToDecideCount } from "#app/office/sales/payments/payments-to-decide.tsx";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { findTodaysWork } from "./dashboard.admin-queries.ts";

type Work = Awaited<ReturnType<typeof findTodaysWork>> & { payments_to_decide: number };

type Task = {
  label: string;
  count: (work: Work) => number | null;
  to: string;
  note?: (work: Work) => string;
};

const tasks: readonly Task[] = [
  { label: "To pack", count: ({ to_pack }) => to_pack, to: "/admin/orders?status=pending&method=pack" },
  { label: "To send", count: ({ to_send }) => to_send, to: "/admin/orders?status=processing&method=send" },
  {
    label: "To be collected",
    count: ({ to_collect }) => to_collect,
    to: "/admin/orders?status=processing&method=collect",
  },
  {
    label: "Unpaid",
    count: ({ unpaid }) => unpaid,
    to: "/admin/orders?payment=due",
    note: ({ owed, owed_since }) =>
      `${formatCedis(owed)}${owed_since ? `, the oldest from ${formatDay(owed_since)}` : ""}`,
  },
  {
    label: "To refund",
    count: ({ to_refund }) => to_refund,
    to: "/admin/orders?payment=to_refund",
    note: ({ owed_back }) => formatCedis(owed_back),
  },
  {
    label: "Payments that need a decision",
    count: ({ payments_to_decide }) => payments_to_decide,
    to: "/admin/payments?state=needs_decision",
  },
  {
    label: "Quotes to prepare",
    count: ({ quotes_waiting }) => quotes_waiting,
    to: "/admin/quotes?status=requested",
  },
  {
    label: "Consultations waiting",
    count: ({ consultations_waiting }) => consultations_waiting,
    to: "/admin/consultations?status=open",
  },
  {
    label: "Waiting for a restocked book",
    count: ({ waiting_for_books }) => waiting_for_books,
    to: "/admin/reports?report=wanted&in-stock=1",
  },
];

/** Each number links to its list; tasks with nothing to do, and those of other duties, are left out. */
export function TodaysWork() {
  const work = useAdminQuery(["dashboard", "work"], findTodaysWork, { refreshing: true });
  const { data: toDecide = 0, isLoading } = usePaymentsToDecideCount();
  const failure = readFailure("today's work", work);
  const data = work.data && !isLoading ? { ...work.data, payments_to_decide: toDecide } : null;
  const due = data
    ? tasks.map((task) => ({ ...task, waiting: task.count(data) ?? 0 })).filter(({ waiting }) => waiting > 0)
    : [];
  return (
    <div className="mb-3">
      <Panel title="Today's work">
        {failure && <RetryNote {...failure} />}
        {!failure && !data && <Skeleton className="h-16" />}
        {data && due.length === 0 && <p className="text-muted">Nothing is waiting.</p>}
        {data && due.length > 0 && (
          <ul className="grid grid-cols-2 gap-x-6 gap-y-1 @3xl:grid-cols-4 @6xl:grid-cols-7">
            {due.map(({ label, waiting, to, note }) => (
              <li key={label}>
                <Link to={to} className="group block min-h-11 rounded-control py-1 no-underline">
                  <span className="figures block font-display text-25 font-semibold text-ink">
                    {waiting.toLocaleString("en-GB")}
                  </span>
                  <span className="block font-semibold text-green underline decoration-line-strong underline-offset-4 group-hover:decoration-green">
                    {label}
                  </span>
                  {note && <span className="figures block text-13 text-muted">{note(data)}</span>}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
