import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/orders.ts";

export const meta: Route.MetaFunction = () => [{ title: `Orders | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/orders-page.tsx"));
