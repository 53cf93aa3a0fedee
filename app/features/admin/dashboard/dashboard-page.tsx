import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { KindCounts } from "#app/features/admin/books/kind-counts.tsx";
import { LowStock } from "#app/features/admin/books/low-stock.tsx";
import { PublisherStatistics } from "#app/features/admin/books/publisher-statistics.tsx";
import { StatCards } from "#app/features/admin/dashboard/stat-cards.tsx";
import { useStaff } from "#app/features/admin/duties.tsx";
import { UnsentEmails } from "#app/features/admin/emails/unsent-emails.tsx";
import { OpeningList } from "#app/features/admin/opening/opening-list.tsx";
import { NewOrderAnnouncer } from "#app/features/admin/orders/new-order-announcer.tsx";
import { RecentOrders } from "#app/features/admin/orders/recent-orders.tsx";
import { ReportedReviews } from "#app/features/admin/reviews/reported-reviews.tsx";
import type { Duty } from "#app/features/session/duties.ts";
import { SalesNow } from "./sales-now.tsx";
import { TodaysWork } from "./todays-work.tsx";

/** Each part needs its duty. */
export function DashboardPage() {
  const { duties } = useStaff();
  const has = (...some: Duty[]) => some.some((duty) => duties.includes(duty));
  return (
    <AdminPage title="Admin Dashboard">
      {has("orders") && <NewOrderAnnouncer />}
      {has("settings") && <OpeningList />}
      {has("orders") && <UnsentEmails />}
      {has("reviews") && <ReportedReviews />}
      {has("orders", "payments", "schools", "reports") && <TodaysWork />}
      {has("reports") && <SalesNow />}
      <StatCards />
      <KindCounts className="mt-2" />
      <div className="mt-5 grid grid-cols-1 items-start gap-5 @4xl:grid-cols-2">
        {has("orders") && <RecentOrders />}
        {has("catalogue", "stock") && (
          <>
            <LowStock />
            <div className="@4xl:col-span-2">
              <PublisherStatistics />
            </div>
          </>
        )}
      </div>
    </AdminPage>
  );
}
