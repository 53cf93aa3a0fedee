import type { Tax } from "#app/features/documents/included-taxes.ts";

/**
 * The owner's choices for invoices, receipts and delivery notes. Kept apart from shop.ts, because every page downloads that.
 */
export const documentTerms = {
  /** The shop's tax number (TIN), printed on invoices and receipts. Null: none is printed. */
  taxNumber: null as string | null,
  /**
   * The taxes that the prices include, in percent of the price before tax. None: no tax is printed. Example:
   *   { name: "VAT", percent: 15 },
   */
  taxes: [] as readonly Tax[],
  /**
   * On an invoice, while something is due. `{order}` is replaced by the order's number. Bank details belong here, and, if customers
   * can pay online, that they can do so on the order's page.
   */
  howToPay: "Mobile money, bank transfer or cash on delivery. Please give the order number, {order}.",
  /** At the foot of a delivery note. */
  deliveryNote:
    "Please check the books when they arrive, and tell us within two days if anything is missing or damaged.",
} as const;
