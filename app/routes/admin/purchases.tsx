import { lazy } from "react";
import { useParams, useSearchParams } from "react-router";
import { privateHead } from "#app/features/site/head.ts";

export const meta = () => privateHead("Purchases | Admin Panel");

/** Downloaded only once the role is known (decision 12). */
const PurchasesPage = lazy(async () => ({
  default: (await import("#app/office/stock/purchases/purchases-page.tsx")).PurchasesPage,
}));
const NeedsPage = lazy(async () => ({
  default: (await import("#app/office/stock/purchases/needs/needs-page.tsx")).NeedsPage,
}));

export default function Purchases() {
  const { purchaseId } = useParams();
  const isNeeds = useSearchParams()[0].get("view") === "needs";
  return !purchaseId && isNeeds ? <NeedsPage /> : <PurchasesPage />;
}
