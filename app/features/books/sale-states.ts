/** Whether the shop sells a title; the database has the same list. */
export const SALE_STATES = ["on_sale", "coming_soon", "last_copies", "not_for_sale"] as const;

export type SaleState = (typeof SALE_STATES)[number];

/** What staff read; visitors don't download it. */
export const saleStateNames: Readonly<Record<SaleState, string>> = {
  on_sale: "On sale",
  coming_soon: "Coming soon",
  last_copies: "While stocks last",
  not_for_sale: "Not for sale",
};

export const readSaleState = (state: string): SaleState =>
  SALE_STATES.find((known) => known === state) ?? "on_sale";
