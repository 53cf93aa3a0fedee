import { lazy, Suspense, useEffect } from "react";
import { privateHead } from "#app/features/site/head.ts";
import { accessRedirects, useAdminAccess } from "#app/office/frame/admin-access.ts";
import "#app/styles/office.css";

export const meta = () => privateHead("Scan | Admin Panel");

/** Downloaded only for someone with a duty (decision 12). */
const CameraPage = lazy(async () => ({
  default: (await import("#app/office/frame/camera/camera-page.tsx")).CameraPage,
}));

/** Outside the back office's layout, because no other page may run in this document with its looser policy. */
export default function Scan() {
  const access = useAdminAccess();
  const to = typeof access === "string" ? accessRedirects[access] : null;
  useEffect(() => {
    // As a new document, with the usual policy.
    if (to) location.replace(to);
  }, [to]);
  if (typeof access === "string") return null;
  return (
    <Suspense>
      <CameraPage />
    </Suspense>
  );
}
