import { lazy } from "react";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/books.ts";

export const meta: Route.MetaFunction = () => [{ title: `Books | Admin Panel | ${shop.name}` }];

export default lazy(() => import("./pages/books-page.tsx"));
