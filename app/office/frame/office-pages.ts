import type { Duty } from "#app/features/session/duties.ts";
import type { IconName } from "#app/office/components/office-icon.tsx";

type OfficePage = {
  to: string;
  /** Any one of these opens it; only admins can if there are none. */
  duties: readonly Duty[] | "any";
  /** Only for pages in the sidebar. */
  entry?: { label: string; icon: IconName };
};

/** The pages of the back office in the order of the sidebar, and who may open each with what is below it. */
export const officePages: readonly OfficePage[] = [
  { to: "/admin", duties: "any", entry: { label: "Dashboard", icon: "dashboard" } },
  { to: "/admin/users", duties: ["people"], entry: { label: "Users", icon: "users" } },
  { to: "/admin/books", duties: ["catalogue", "stock"], entry: { label: "Books", icon: "book" } },
  { to: "/admin/books/import", duties: ["catalogue"] },
  { to: "/admin/books/digital", duties: ["catalogue"] },
  { to: "/admin/orders", duties: ["orders"], entry: { label: "Orders", icon: "receipt" } },
  { to: "/admin/reviews", duties: ["reviews"], entry: { label: "Reviews", icon: "star" } },
  { to: "/admin/activity", duties: [], entry: { label: "Activity", icon: "clock" } },
  { to: "/admin/booklists", duties: ["schools"], entry: { label: "Booklists", icon: "list" } },
  { to: "/admin/quotes", duties: ["schools"], entry: { label: "Quotes", icon: "mail" } },
  {
    to: "/admin/consultations",
    duties: ["schools"],
    entry: { label: "Consultations", icon: "chat" },
  },
  { to: "/admin/publishers", duties: ["catalogue"], entry: { label: "Publishers", icon: "box" } },
  { to: "/admin/suppliers", duties: ["stock"], entry: { label: "Suppliers", icon: "truck" } },
  { to: "/admin/purchases", duties: ["stock"], entry: { label: "Purchases", icon: "cart" } },
  { to: "/admin/receiving", duties: ["stock"], entry: { label: "Receiving", icon: "download" } },
  { to: "/admin/stock", duties: ["stock"] },
  { to: "/admin/stock/labels", duties: ["catalogue", "stock"] },
  // Only reads barcodes, for the page that opened it.
  { to: "/admin/scan", duties: "any" },
  { to: "/admin/payments", duties: ["payments"], entry: { label: "Payments", icon: "money" } },
  { to: "/admin/counts", duties: ["stock"], entry: { label: "Counts", icon: "check" } },
  { to: "/admin/events", duties: ["events"], entry: { label: "Events", icon: "calendar" } },
  { to: "/admin/reports", duties: ["reports"], entry: { label: "Reports", icon: "chart" } },
  { to: "/admin/settings", duties: ["settings"], entry: { label: "Settings", icon: "settings" } },
];

/** The duties that open this path, which may have a query. A page that is not listed is for admins. */
export function dutiesFor(path: string): OfficePage["duties"] {
  const [pathname = ""] = path.split(/[?#]/);
  const above = officePages.filter(
    ({ to }) => pathname === to || (to !== "/admin" && pathname.startsWith(`${to}/`)),
  );
  return above.at(-1)?.duties ?? [];
}
