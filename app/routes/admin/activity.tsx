import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/activity.ts";

export const meta: Route.MetaFunction = () => [{ title: `Activity | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/activity-page.tsx"));
