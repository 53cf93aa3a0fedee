import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { UserTable } from "./user-table.tsx";

export function UsersPage() {
  return (
    <AdminPage title="User Management" lead="Manage user accounts and permissions.">
      <UserTable />
    </AdminPage>
  );
}
