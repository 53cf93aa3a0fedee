import type { BadgeVariant } from "#app/components/badge.tsx";
import { formatAmount, hundredthsOf } from "#shared/orders/purchase-file.ts";

const PURCHASE_STATUSES = ["draft", "sent", "part_received", "received", "cancelled"] as const;

export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

export const purchaseStatusNames: Readonly<Record<PurchaseStatus, string>> = {
  draft: "Draft",
  sent: "Sent",
  part_received: "Partly received",
  received: "Received",
  cancelled: "Cancelled",
};

export const purchaseStatusVariants: Readonly<Record<PurchaseStatus, BadgeVariant>> = {
  draft: "secondary",
  sent: "default",
  part_received: "warning",
  received: "outline",
  cancelled: "destructive",
};

/** Reads a status from the database; an unknown one counts as cancelled, which nobody waits for. */
export function readPurchaseStatus(text: string): PurchaseStatus {
  return PURCHASE_STATUSES.find((status) => status === text) ?? "cancelled";
}

export { formatAmount, hundredthsOf };

type Priced = { copies: number; listPrice: number; discount: number };

/**
 * What a line costs, in hundredths: rounded once, as the database does, and never from a rounded cost of a copy.
 * @param line the list price in hundredths, the discount in percent with at most two decimals
 */
export function lineAmount({ copies, listPrice, discount }: Priced): number {
  const share = BigInt(10_000 - hundredthsOf(discount));
  return Number((BigInt(copies) * BigInt(listPrice) * share + 5_000n) / 10_000n);
}

/** The page of a purchase order, and its printed sheet. */
export const purchasePath = (id: string) => `/admin/purchases/${id}`;
export const purchaseSheetPath = (id: string) => `${purchasePath(id)}/print`;

/** Where its goods are received. */
export const receivePath = (id: string) => `/admin/receiving/new?purchase=${id}`;
