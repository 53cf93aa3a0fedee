import { Icon } from "#app/components/icon.tsx";
import { MenuLink } from "#app/components/menu.tsx";
import { useRead } from "#app/lib/use-read.ts";
import { getBackend } from "./backend.ts";
import { findRole } from "./role.queries.ts";

/** The link to the back office, for admins; the back office checks the role again. */
export function StaffLink({ userId }: { userId: string }) {
  // Without a response there is no link; /admin can still be opened directly.
  const { result: role } = useRead(userId, async () => findRole(await getBackend(), userId));
  if (role !== "admin") return null;
  return (
    <MenuLink to="/admin">
      <Icon name="dashboard" />
      Admin Panel
    </MenuLink>
  );
}
