import { useEffect, useState } from "react";
import { Icon } from "#app/components/icon.tsx";
import { MenuLink } from "#app/components/menu.tsx";
import { findRole } from "./role.queries.ts";
import { getBackend } from "./session-store.ts";

/** The way to the back office, for whom it is open; whether it is will be asked there again. */
export function StaffLink({ userId }: { userId: string }) {
  const [adminId, setAdminId] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    getBackend()
      .then((backend) => findRole(backend, userId))
      // Without an answer there is no link: /admin can still be opened by its address.
      .then((role) => current && setAdminId(role === "admin" ? userId : null))
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [userId]);
  if (adminId !== userId) return null;
  return (
    <MenuLink to="/admin">
      <Icon name="dashboard" />
      Admin Panel
    </MenuLink>
  );
}
