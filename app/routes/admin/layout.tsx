import { lazy, Suspense, useEffect } from "react";
import { Outlet, useLocation, useNavigate } from "react-router";
import { recheckAdminAccess, useAdminAccess } from "#app/features/admin/admin-access.ts";
import { AdminSkeleton } from "#app/features/admin/admin-skeleton.tsx";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Admin Panel | ${shop.name}` },
  { name: "robots", content: "noindex" },
];

/** Downloaded only after the role is known: visitors get the skeleton and the way out. */
const AdminFrame = lazy(async () => ({
  default: (await import("#app/features/admin/admin-frame.tsx")).AdminFrame,
}));

export default function AdminLayout() {
  const access = useAdminAccess();
  const navigate = useNavigate();
  const { pathname } = useLocation();

  useEffect(() => {
    if (access === "signed-out") navigate("/auth", { replace: true });
    if (access === "refused") navigate("/", { replace: true });
  }, [access, navigate]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening another page is an action like any other
  useEffect(() => {
    if (access === "granted") recheckAdminAccess();
  }, [pathname]);

  if (access !== "granted") return <AdminSkeleton />;
  return (
    <Suspense fallback={<AdminSkeleton />}>
      <AdminFrame>
        <Outlet />
      </AdminFrame>
    </Suspense>
  );
}
