import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { listSuppliers, type SupplierRow } from "./supplier.admin-queries.ts";
import { SupplierDialog } from "./supplier-dialog.tsx";
import { SupplierTable } from "./supplier-table.tsx";

export function SuppliersPage() {
  const suppliers = useAdminQuery(["suppliers", "list"], listSuppliers);
  const [opened, setOpened] = useState<{ row: SupplierRow | null } | null>(null);
  return (
    <AdminPage
      title="Suppliers"
      lead="Who you buy from, and on what terms. Only staff see them."
      actions={
        <Button onClick={() => setOpened({ row: null })}>
          <OfficeIcon name="plus" />
          Add Supplier
        </Button>
      }
    >
      <SupplierTable suppliers={suppliers} onEdit={(row) => setOpened({ row })} />
      {opened && <SupplierDialog loaded={opened.row} onClose={() => setOpened(null)} />}
    </AdminPage>
  );
}
