import { data } from "react-router";
import { notFoundHead } from "#app/features/site/head.ts";
import { NotFoundScreen } from "#app/features/site/not-found-screen.tsx";
import type { Route } from "./+types/not-found.ts";

export const meta: Route.MetaFunction = () => notFoundHead();

export function loader() {
  return data(null, { status: 404 });
}

export default NotFoundScreen;
