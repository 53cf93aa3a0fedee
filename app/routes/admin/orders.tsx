import { lazy } from "react";
import { notFoundHead, privateHead } from "#app/features/site/head.ts";
import { readOrdersView, staffDocuments } from "#app/office/sales/orders/staff-documents.ts";
import type { Route } from "./+types/orders.ts";

export const meta: Route.MetaFunction = ({ params: { orderId, kind } }) => {
  const orders = readOrdersView(orderId, kind);
  if (orders.view === "not-found") return notFoundHead();
  // Printed documents are headed by the document's title.
  if (orders.view === "documents")
    return privateHead(`${staffDocuments[orders.kind]} ${orders.ids[0]?.slice(0, 8)}`);
  return privateHead("Orders | Admin Panel");
};

/** Downloaded only once the role is known (decision 12). */
export default lazy(async () => ({
  default: (await import("#app/office/sales/orders/orders-page.tsx")).OrdersPage,
}));
