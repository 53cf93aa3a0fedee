import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { UserTable } from "#app/features/admin/users/user-table.tsx";

export function UsersPage() {
  return (
    <AdminPage title="User Management" lead="Manage user accounts and permissions.">
      <UserTable />
    </AdminPage>
  );
}
