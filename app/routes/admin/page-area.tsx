import { Outlet } from "react-router";
import { PageFailure } from "#app/features/site/page-failure.tsx";
import type { Route } from "./+types/page-area.ts";

/** The error boundary of the back office's pages: when a page fails, the sidebar and header stay. */
export default function PageArea() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageFailure error={error} />;
}
