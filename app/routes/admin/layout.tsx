import { lazy, Suspense } from "react";
import { Outlet } from "react-router";
import { privateHead } from "#app/features/site/head.ts";
import { useRedirect } from "#app/lib/react/use-redirect.ts";
import { accessRedirects, useAdminAccess } from "#app/office/frame/admin-access.ts";
import { AdminSkeleton } from "#app/office/frame/admin-skeleton.tsx";
import type { Route } from "./+types/layout.ts";
import "#app/styles/office.css";

export const meta: Route.MetaFunction = () => privateHead("Admin Panel");

/** Downloaded only for someone with a duty (decision 12): visitors get the skeleton and are redirected. */
const AdminFrame = lazy(async () => ({
  default: (await import("#app/office/frame/admin-frame.tsx")).AdminFrame,
}));

export default function AdminLayout() {
  const access = useAdminAccess();
  useRedirect(typeof access === "string" ? accessRedirects[access] : null);

  if (typeof access === "string") return <AdminSkeleton />;
  return (
    <Suspense fallback={<AdminSkeleton />}>
      <AdminFrame staff={access}>
        <Outlet />
      </AdminFrame>
    </Suspense>
  );
}
