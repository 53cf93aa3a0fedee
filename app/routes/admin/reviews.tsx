import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/reviews.ts";

export const meta: Route.MetaFunction = () => [{ title: `Reviews | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/reviews-page.tsx"));
