import type { FieldErrors } from "#app/components/use-form.ts";
import { isEmail } from "#shared/text/email.ts";
import { isPhone } from "#shared/text/phone.ts";
import { readPercent } from "#shared/text/typed-price.ts";
import { readCurrency } from "./currencies.ts";
import type { SupplierRow, SupplierValues } from "./supplier.admin-queries.ts";

export type SupplierForm = {
  name: string;
  contact_name: string;
  email: string;
  phone: string;
  currency: string;
  discount: string;
  delivery_days: string;
  terms: string;
  hidden: boolean;
};

/** The database's limits. */
export const limits = { name: 200, contact_name: 200, email: 320, phone: 40, terms: 500 } as const;

export function supplierForm(row: SupplierRow | null): SupplierForm {
  return {
    name: row?.name ?? "",
    contact_name: row?.contact_name ?? "",
    email: row?.email ?? "",
    phone: row?.phone ?? "",
    currency: row?.currency ?? "GHS",
    discount: row ? String(row.discount) : "",
    delivery_days: row?.delivery_days === null || !row ? "" : String(row.delivery_days),
    terms: row?.terms ?? "",
    hidden: row?.hidden ?? false,
  };
}

function readDays(typed: string): number | null {
  const days = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 366;
  return days <= 365 ? days : null;
}

const isEmpty = (text: string) => text.trim() === "";

export function findErrors(form: SupplierForm): FieldErrors<SupplierForm> {
  return {
    name: isEmpty(form.name) ? "Name is required" : null,
    email: isEmpty(form.email) || isEmail(form.email) ? null : "Enter a valid email address",
    phone: isEmpty(form.phone) || isPhone(form.phone) ? null : "Enter a valid phone number",
    discount:
      isEmpty(form.discount) || readPercent(form.discount) !== null ? null : "Enter a number from 0 to 100",
    delivery_days:
      isEmpty(form.delivery_days) || readDays(form.delivery_days) !== null
        ? null
        : "Enter a number of days up to 365",
  };
}

/** Converts a valid form for saving. */
export function supplierValues(form: SupplierForm): SupplierValues {
  return {
    name: form.name.trim(),
    contact_name: form.contact_name.trim(),
    email: form.email.trim(),
    phone: form.phone.trim(),
    terms: form.terms.trim(),
    discount: readPercent(form.discount) ?? 0,
    currency: readCurrency(form.currency),
    delivery_days: readDays(form.delivery_days),
    hidden: form.hidden,
  };
}
