import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { Currency } from "./currencies.ts";

/** A supplier's editable fields. */
export type SupplierValues = {
  name: string;
  contact_name: string;
  email: string;
  phone: string;
  terms: string;
  /** In percent. */
  discount: number;
  currency: Currency;
  delivery_days: number | null;
  hidden: boolean;
};

/**
 * All suppliers by name, with their number of purchase orders; `updated_at` shows whether someone else has changed one since.
 * @throws BackendFailure
 */
export async function listSuppliers(client: BackendClient) {
  const rows = unwrap(await client.rpc("list_suppliers"));
  // The generated types don't know that the result can be empty.
  return rows as (Omit<
    (typeof rows)[number],
    "contact_name" | "email" | "phone" | "terms" | "delivery_days"
  > & {
    contact_name: string | null;
    email: string | null;
    phone: string | null;
    terms: string | null;
    delivery_days: number | null;
  })[];
}

export type SupplierRow = Awaited<ReturnType<typeof listSuppliers>>[number];

/**
 * Adds a supplier, or changes the one that was loaded.
 * @param loaded null for a new one
 * @throws BackendFailure, with `supplier_changed` when someone else has changed it since, `name_taken`
 */
export async function saveSupplier(
  client: BackendClient,
  id: string,
  values: SupplierValues,
  loaded: Pick<SupplierRow, "updated_at"> | null,
): Promise<void> {
  unwrap(
    await client.rpc("save_supplier", {
      _id: id,
      _name: values.name,
      _contact_name: values.contact_name,
      _email: values.email,
      _phone: values.phone,
      _terms: values.terms,
      _discount: values.discount,
      _currency: values.currency,
      _delivery_days: values.delivery_days ?? undefined,
      _hidden: values.hidden,
      _updated_at: loaded?.updated_at,
    }),
  );
}

/** @throws BackendFailure, with `supplier_has_purchase_orders` */
export async function removeSupplier(client: BackendClient, id: string): Promise<void> {
  unwrapDone(await client.rpc("remove_supplier", { _id: id }));
}
