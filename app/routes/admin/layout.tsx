import { lazy, Suspense } from "react";
import { Outlet } from "react-router";
import { useAdminAccess } from "#app/features/admin/admin-access.ts";
import { AdminSkeleton } from "#app/features/admin/admin-skeleton.tsx";
import { privateHead } from "#app/features/site/head.ts";
import { useRedirect } from "#app/lib/use-redirect.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = () => privateHead("Admin Panel");

/** Downloaded only once the role is known: visitors get the skeleton and are redirected. */
const AdminFrame = lazy(async () => ({
  default: (await import("#app/features/admin/admin-frame.tsx")).AdminFrame,
}));

const redirects = { unknown: null, granted: null, "signed-out": "/auth", refused: "/" } as const;

export default function AdminLayout() {
  const access = useAdminAccess();
  useRedirect(redirects[access]);

  if (access !== "granted") return <AdminSkeleton />;
  return (
    <Suspense fallback={<AdminSkeleton />}>
      <AdminFrame>
        <Outlet />
      </AdminFrame>
    </Suspense>
  );
}
