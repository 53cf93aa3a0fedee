import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/packing-list.ts";

export const meta: Route.MetaFunction = ({ params }) => [
  { title: `Packing list ${params.orderId.slice(0, 8)} | ${shop.name}` },
];

const PackingListPage = lazy(() => import("./pages/packing-list-page.tsx"));

export default function PackingListRoute({ params }: Route.ComponentProps) {
  return <PackingListPage orderId={params.orderId} />;
}
