import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { ExistingImport } from "#app/features/admin/import/existing-import.tsx";
import { NewImport } from "#app/features/admin/import/new-import.tsx";
import { isUuid } from "#app/lib/uuid.ts";

export function ImportPage() {
  const id = useSearchParams()[0].get("id") ?? "";
  return (
    <AdminPage
      title="Import Books"
      lead="Add and update many books at once from a supplier's Excel or CSV file."
      actions={
        <Link to="/admin/books" className={buttonClass({ variant: "secondary" })}>
          Back to books
        </Link>
      }
    >
      {isUuid(id) ? <ExistingImport key={id} id={id} /> : <NewImport />}
    </AdminPage>
  );
}
