import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { LowStock } from "#app/features/admin/books/low-stock.tsx";
import { PublisherStatistics } from "#app/features/admin/books/publisher-statistics.tsx";
import { StatCards } from "#app/features/admin/dashboard/stat-cards.tsx";
import { OpeningList } from "#app/features/admin/opening/opening-list.tsx";
import { NewOrderAnnouncer } from "#app/features/admin/orders/new-order-announcer.tsx";
import { RecentOrders } from "#app/features/admin/orders/recent-orders.tsx";
import { UnsentEmails } from "#app/features/admin/orders/unsent-emails.tsx";
import { ReportedReviews } from "#app/features/admin/reviews/reported-reviews.tsx";

export function DashboardPage() {
  return (
    <AdminPage title="Admin Dashboard">
      <NewOrderAnnouncer />
      <OpeningList />
      <UnsentEmails />
      <ReportedReviews />
      <StatCards />
      <div className="mt-5 grid grid-cols-1 items-start gap-5 @4xl:grid-cols-2">
        <RecentOrders />
        <LowStock />
        <div className="@4xl:col-span-2">
          <PublisherStatistics />
        </div>
      </div>
    </AdminPage>
  );
}
