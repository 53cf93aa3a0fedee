import { lazy } from "react";
import { readOrdersView, staffPapers } from "#app/features/admin/orders/staff-papers.ts";
import { notFoundHead, privateHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/orders.ts";

export const meta: Route.MetaFunction = ({ params: { orderId, paper } }) => {
  const orders = readOrdersView(orderId, paper);
  if (orders.view === "not-found") return notFoundHead();
  // Printed papers are headed by the document's title.
  if (orders.view === "papers")
    return privateHead(`${staffPapers[orders.paper]} ${orders.ids[0]?.slice(0, 8)}`);
  return privateHead("Orders | Admin Panel");
};

/** Downloaded only once the role is known (decision 12). */
export default lazy(async () => ({
  default: (await import("#app/features/admin/orders/orders-page.tsx")).OrdersPage,
}));
