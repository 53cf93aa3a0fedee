import type { DataColumn } from "#app/office/components/data-column.ts";
import { formatDay } from "#shared/text/dates.ts";
import { CustomerCell } from "./customer-cell.tsx";

type OfCustomer = { customer_name: string | null; customer_email: string | null };

export const customerColumn: DataColumn<OfCustomer> = {
  id: "customer",
  header: "Customer",
  cell: (row) => <CustomerCell name={row.customer_name} email={row.customer_email} />,
};

export const dateColumn: DataColumn<{ created_at: string }> = {
  id: "created_at",
  header: "Date",
  sorts: "time",
  className: "figures whitespace-nowrap",
  cell: (row) => formatDay(row.created_at),
};
