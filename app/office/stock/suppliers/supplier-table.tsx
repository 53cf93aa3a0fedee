import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { readFailure, useAdminMutation } from "#app/office/frame/admin-data.ts";
import { DeleteDialog } from "#app/office/frame/row-dialog.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { removeSupplier, type SupplierRow } from "./supplier.admin-queries.ts";

type SupplierTableProps = {
  suppliers: UseQueryResult<SupplierRow[]>;
  onEdit: (row: SupplierRow) => void;
};

/** All suppliers by name. Those with purchase orders can be hidden but not deleted. */
export function SupplierTable({ suppliers, onEdit }: SupplierTableProps) {
  const [doomed, setDoomed] = useState<SupplierRow | null>(null);
  const remove = useAdminMutation({
    run: (client, row: SupplierRow) => removeSupplier(client, row.id),
    success: (_, { name }) => ({ title: `${name} deleted` }),
    failure: "Failed to delete the supplier",
  });
  const columns: DataColumn<SupplierRow>[] = [
    {
      id: "name",
      header: "Supplier",
      card: "title",
      cell: ({ name, hidden }) => (
        <span className="wrap-anywhere">
          <bdi>{name}</bdi> {hidden && <Badge variant="outline">Hidden</Badge>}
        </span>
      ),
    },
    {
      id: "contact",
      header: "Contact",
      cell: ({ contact_name, email, phone }) =>
        contact_name || email || phone ? (
          <div className="wrap-anywhere @4xl:min-w-48">
            {contact_name && <p>{contact_name}</p>}
            {email && (
              <p className="text-13">
                <EmailText address={email} />
              </p>
            )}
            {phone && <p className="figures text-13">{phone}</p>}
          </div>
        ) : (
          "–"
        ),
    },
    {
      id: "terms",
      header: "Terms",
      cell: ({ terms }) => <span className="wrap-anywhere whitespace-pre-line">{terms ?? "–"}</span>,
    },
    { id: "currency", header: "Currency", cell: ({ currency }) => currency },
    { id: "discount", header: "Discount", align: "right", cell: ({ discount }) => `${discount}%` },
    {
      id: "delivery_days",
      header: "Delivers in",
      align: "right",
      className: "whitespace-nowrap",
      cell: ({ delivery_days: days }) => (days === null ? "–" : countOf(days, "day")),
    },
    {
      id: "purchase_orders",
      header: "Purchase orders",
      align: "right",
      cell: ({ purchase_orders: count }) => count.toLocaleString("en-GB"),
    },
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      align: "right",
      className: "whitespace-nowrap",
      cell: (row) => (
        <>
          <IconAction icon="pencil" label={`Edit ${row.name}`} onClick={() => onEdit(row)} />
          {row.purchase_orders === 0 && (
            <IconAction icon="trash" label={`Delete ${row.name}`} onClick={() => setDoomed(row)} />
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Suppliers"
        toolbar={null}
        columns={columns}
        rows={suppliers.data}
        rowId={(row) => row.id}
        empty="No suppliers yet. Add those you buy from, then order from them under Purchases."
        failure={readFailure("suppliers", suppliers)}
      />
      <DeleteDialog row={doomed} onDelete={remove.mutate} onClose={() => setDoomed(null)}>
        This deletes its contact and terms for good. Hide a supplier instead if you may order from it again.
      </DeleteDialog>
    </>
  );
}
