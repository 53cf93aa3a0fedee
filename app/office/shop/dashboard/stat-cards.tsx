import { Skeleton } from "#app/components/skeleton.tsx";
import type { Duty } from "#app/features/session/duties.ts";
import { type IconName, OfficeIcon } from "#app/office/components/office-icon.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { useStaff } from "#app/office/frame/duties.tsx";
import { findDashboardStats } from "./dashboard.admin-queries.ts";

type Card = { figure: keyof Stats; title: string; note: string; icon: IconName; duty?: Duty };

const cards: Card[] = [
  { figure: "total_users", title: "Total Users", note: "Registered users", icon: "users", duty: "people" },
  { figure: "total_books", title: "Total Books", note: "Unique titles", icon: "book" },
  { figure: "total_stock", title: "Total Stock", note: "Items in inventory", icon: "box" },
  {
    figure: "total_orders",
    title: "Total Orders",
    note: "Orders processed",
    icon: "receipt",
    duty: "orders",
  },
  {
    figure: "total_reviews",
    title: "Total Reviews",
    note: "Customer reviews",
    icon: "star",
    duty: "reviews",
  },
];

type Stats = Awaited<ReturnType<typeof findDashboardStats>>;

const count = new Intl.NumberFormat("en-GB");

export function StatCards() {
  const stats = useAdminQuery(["dashboard", "stats"], findDashboardStats, { refreshing: true });
  const failure = readFailure("figures", stats);
  const { duties } = useStaff();
  const shown = cards.filter(({ duty }) => !duty || duties.includes(duty));
  return (
    <>
      {failure && <RetryNote {...failure} />}
      <ul aria-label="Figures" className="grid grid-cols-2 gap-3 @3xl:grid-cols-5">
        {shown.map(({ figure, title, note, icon }) => (
          <li
            key={figure}
            className="rounded-card border border-line px-3 py-3 @sm:px-4 last:@max-3xl:col-span-2"
          >
            <h2 className="flex items-center justify-between gap-2 font-sans text-15 font-semibold">
              {title}
              <OfficeIcon name={icon} size={18} className="hidden shrink-0 text-muted @sm:block" />
            </h2>
            {stats.data ? (
              <p className="figures font-display text-25 font-semibold">
                {count.format(stats.data[figure] ?? 0)}
              </p>
            ) : (
              <Skeleton className="my-1 h-6 w-20" />
            )}
            <p className="text-13 text-muted">{note}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
