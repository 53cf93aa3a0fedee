import type { Duty } from "#app/features/session/duties.ts";
import { KindCounts } from "#app/office/catalogue/books/kind-counts.tsx";
import { LowStock } from "#app/office/catalogue/books/low-stock.tsx";
import { PublisherStatistics } from "#app/office/catalogue/books/publisher-statistics.tsx";
import { ReportedReviews } from "#app/office/catalogue/reviews/reported-reviews.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { useStaff } from "#app/office/frame/duties.tsx";
import { UnsentEmails } from "#app/office/frame/emails/unsent-emails.tsx";
import { NewOrderAnnouncer } from "#app/office/sales/orders/new-order-announcer.tsx";
import { RecentOrders } from "#app/office/sales/orders/recent-orders.tsx";
import { OpeningList } from "#app/office/shop/opening/opening-list.tsx";
import { SalesNow } from "./sales-now.tsx";
import { StatCards } from "./stat-cards.tsx";
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
