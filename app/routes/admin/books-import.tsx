import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/books-import.ts";

export const meta: Route.MetaFunction = () => [{ title: `Import Books | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/books-import-page.tsx"));
