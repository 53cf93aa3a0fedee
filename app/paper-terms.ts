import type { Tax } from "#app/features/papers/included-taxes.ts";

/**
 * The owner's choices for invoices, receipts and delivery notes. Kept apart from shop.ts, because every page downloads that.
 */
export const paperTerms = {
  /** The shop's tax number (TIN), printed on invoices and receipts. Null: none is printed. */
  taxNumber: null as string | null,
  /**
   * The taxes that the prices include, in percent of the price before tax. None: no tax is printed. Example:
   *   { name: "VAT", percent: 15 },
   */
  taxes: [] as readonly Tax[],
  /** At the foot of a delivery note. */
  deliveryNote:
    "Please check the books when they arrive, and tell us within two days if anything is missing or damaged.",
} as const;
