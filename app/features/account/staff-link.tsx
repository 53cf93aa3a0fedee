import { Icon } from "#app/components/icon.tsx";
import { MenuLink } from "#app/components/menu.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { findRole } from "#app/features/session/role.queries.ts";
import { useRead } from "#app/lib/use-read.ts";

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
