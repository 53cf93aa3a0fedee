import { Outlet } from "react-router";
import { PageFailure } from "#app/features/site/page-failure.tsx";
import type { Route } from "./+types/page-area.ts";

/** The error boundary of the shop's pages: when a page fails, the header and footer stay. */
export default function PageArea() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageFailure error={error} />;
}
