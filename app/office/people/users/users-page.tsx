import { useParams } from "react-router";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { PersonPage } from "./person-page.tsx";
import { UserTable } from "./user-table.tsx";

/** The list, or one person: a route of its own would make every page's list of routes longer. */
export function UsersPage() {
  const { userId } = useParams();
  if (userId) return <PersonPage key={userId} id={userId} />;
  return (
    <AdminPage title="User Management" lead="Manage user accounts and permissions.">
      <UserTable />
    </AdminPage>
  );
}
