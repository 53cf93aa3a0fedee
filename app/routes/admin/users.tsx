import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/users.ts";

export const meta: Route.MetaFunction = () => [{ title: `Users | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/users-page.tsx"));
