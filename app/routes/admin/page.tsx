import { lazy } from "react";
import { readOrdersView, staffPapers } from "#app/features/admin/orders/staff-papers.ts";
import { notFoundHead, privateHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/page.ts";

/** The back office's pages by route id. Each is downloaded only once the role is known: visitors never get its code. */
const pages = {
  "admin/dashboard": { title: "Dashboard", Page: lazy(() => import("./dashboard.tsx")) },
  "admin/users": { title: "Users", Page: lazy(() => import("./users.tsx")) },
  "admin/books": { title: "Books", Page: lazy(() => import("./books.tsx")) },
  "admin/books-import": { title: "Import Books", Page: lazy(() => import("./books-import.tsx")) },
  "admin/orders": { title: "Orders", Page: lazy(() => import("./orders.tsx")) },
  "admin/reviews": { title: "Reviews", Page: lazy(() => import("./reviews.tsx")) },
  "admin/quotes": { title: "Quotes", Page: lazy(() => import("./quotes.tsx")) },
  "admin/activity": { title: "Activity", Page: lazy(() => import("./activity.tsx")) },
  "admin/booklists": { title: "Booklists", Page: lazy(() => import("./booklists.tsx")) },
  "admin/booklist": { title: "Booklist", Page: lazy(() => import("./booklist.tsx")) },
};

export const meta: Route.MetaFunction = ({ matches, params: { orderId, paper } }) => {
  const { title } = pages[matches[3].id];
  const orders = readOrdersView(orderId, paper);
  if (orders.view === "not-found") return notFoundHead();
  // Printed papers are headed by the document's title.
  if (orders.view === "papers")
    return privateHead(`${staffPapers[orders.paper]} ${orders.ids[0]?.slice(0, 8)}`);
  return privateHead(`${title} | Admin Panel`);
};

export default function AdminPage({ matches }: Route.ComponentProps) {
  const { Page } = pages[matches[3].id];
  return <Page />;
}
