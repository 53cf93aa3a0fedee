import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/dashboard.ts";

export const meta: Route.MetaFunction = () => [{ title: `Dashboard | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/dashboard-page.tsx"));
