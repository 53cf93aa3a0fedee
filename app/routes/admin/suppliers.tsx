import { lazy } from "react";
import { privateHead } from "#app/features/site/head.ts";

export const meta = () => privateHead("Suppliers | Admin Panel");

/** Downloaded only once the role is known (decision 12). */
export default lazy(async () => ({
  default: (await import("#app/office/stock/suppliers/suppliers-page.tsx")).SuppliersPage,
}));
