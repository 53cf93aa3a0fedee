import { lazy, Suspense } from "react";
import { Outlet } from "react-router";
import { accessRedirects, useAdminAccess } from "#app/features/admin/admin-access.ts";
import { AdminSkeleton } from "#app/features/admin/admin-skeleton.tsx";
import { privateHead } from "#app/features/site/head.ts";
import { useRedirect } from "#app/lib/use-redirect.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = () => privateHead("Admin Panel");

/** Downloaded only for someone with a duty (decision 12): visitors get the skeleton and are redirected. */
const AdminFrame = lazy(async () => ({
  default: (await import("#app/features/admin/admin-frame.tsx")).AdminFrame,
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
