import { Icon } from "#app/components/icon.tsx";
import { MenuLink } from "#app/components/menu.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { findStaff } from "#app/features/session/staff.queries.ts";
import { useRead } from "#app/lib/react/use-read.ts";

/** The link to the back office for people with a duty; the back office checks again. */
export function StaffLink({ userId }: { userId: string }) {
  // Without a response there is no link; /admin can still be opened directly.
  const { result: staff } = useRead(userId, async () => findStaff(await getBackend(), userId));
  if (!staff) return null;
  return (
    // The shop's pages don't load the back office's routes (react-router.config.ts).
    <MenuLink to="/admin" reloadDocument>
      <Icon name="dashboard" />
      Admin Panel
    </MenuLink>
  );
}
