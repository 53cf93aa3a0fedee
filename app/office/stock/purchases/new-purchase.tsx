import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { SelectField } from "#app/components/field.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { useForm } from "#app/components/use-form.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listSuppliers, type SupplierRow } from "#app/office/stock/suppliers/supplier.admin-queries.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { createPurchase } from "./purchase.admin-queries.ts";
import { purchasePath } from "./purchase.ts";

/** Begins a purchase order: asks for the supplier, then opens it. */
export function NewPurchase() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <OfficeIcon name="plus" />
        New Purchase Order
      </Button>
      {open && (
        <Dialog open title="New purchase order" onClose={() => setOpen(false)}>
          <ChooseSupplier />
        </Dialog>
      )}
    </>
  );
}

function ChooseSupplier() {
  const suppliers = useAdminQuery(["suppliers", "list"], listSuppliers);
  const failure = readFailure("suppliers", suppliers);
  if (failure) return <RetryNote {...failure} />;
  if (suppliers.data === undefined) return <Skeleton className="h-32" />;
  const shown = suppliers.data.filter(({ hidden }) => !hidden);
  if (shown.length > 0) return <SupplierForm suppliers={shown} />;
  return (
    <p>
      There is no supplier to order from.{" "}
      <Link to="/admin/suppliers" className="-my-2.5 inline-block py-2.5 font-semibold text-green underline">
        Add one
      </Link>{" "}
      first.
    </p>
  );
}

function SupplierForm({ suppliers }: { suppliers: readonly SupplierRow[] }) {
  // The same for every attempt, so that a retry after a lost response creates no second one.
  const [id] = useState(newUuid);
  const navigate = useNavigate();
  const create = useAdminMutation({
    run: (client, supplierId: string) => createPurchase(client, id, supplierId),
    success: () => null,
    failure: "Failed to create the purchase order",
    onSuccess: () => void navigate(purchasePath(id)),
  });
  const { field, formProps } = useForm({
    fields: { supplier: suppliers.length === 1 ? (suppliers[0]?.id ?? "") : "" },
    rules: ({ supplier }) => ({ supplier: supplier ? null : "Choose a supplier" }),
    send: ({ supplier }) => create.mutate(supplier),
  });
  return (
    <form {...formProps} className="grid gap-4">
      <SelectField label="Supplier" {...field("supplier")}>
        <option value="">Choose a supplier</option>
        {suppliers.map(({ id: supplierId, name, currency }) => (
          <option key={supplierId} value={supplierId}>
            {name} ({currency})
          </option>
        ))}
      </SelectField>
      <Button type="submit" busy={create.isPending}>
        Begin
      </Button>
    </form>
  );
}
