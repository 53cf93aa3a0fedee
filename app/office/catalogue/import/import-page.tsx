import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { isUuid } from "#shared/text/uuid.ts";
import { ExistingImport } from "./existing-import.tsx";
import { findImport, isPriceChange } from "./import.admin-queries.ts";
import { NewImport } from "./new-import.tsx";

export function ImportPage() {
  const id = useSearchParams()[0].get("id") ?? "";
  const isExisting = isUuid(id);
  const { data: shown } = useAdminQuery(["book-import", id], (client) => findImport(client, id), {
    enabled: isExisting,
  });
  const isOfPrices = isExisting && shown && isPriceChange(shown);
  return (
    <AdminPage
      title={isOfPrices ? "Change Prices" : "Import Books"}
      lead={
        isOfPrices
          ? "The old and new price of each book. Nothing changes until you confirm."
          : "Add and update many books at once from a supplier's Excel or CSV file or a publisher's ONIX message."
      }
      actions={
        <Link to="/admin/books" className={buttonClass({ variant: "secondary" })}>
          Back to books
        </Link>
      }
    >
      {isExisting ? <ExistingImport key={id} id={id} /> : <NewImport />}
    </AdminPage>
  );
}
