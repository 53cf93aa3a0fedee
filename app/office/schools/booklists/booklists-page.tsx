import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { BooklistTable } from "./booklist-table.tsx";

export function BooklistsPage() {
  return (
    <AdminPage
      title="Booklists"
      lead="What the pupils of a class need in a school year."
      actions={
        <>
          <Link to="/admin/booklists/import" className={buttonClass({ variant: "secondary" })}>
            <OfficeIcon name="upload" size={18} />
            Import a file
          </Link>
          <Link to="/admin/booklists/new" className={buttonClass()}>
            <OfficeIcon name="plus" />
            New booklist
          </Link>
        </>
      }
    >
      <BooklistTable />
    </AdminPage>
  );
}
