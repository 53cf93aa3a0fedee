/** A tax that the shop's prices include, in percent of the price before tax. */
export type Tax = { name: string; percent: number };

/** What invoices, receipts and delivery notes say, until the owner writes something else. */
export const documentTerms = {
  /** The taxes that the prices include, in percent of the price before tax. None: no tax is printed. */
  taxes: [] as readonly Tax[],
  howToPay: "Mobile money, bank transfer or cash on delivery. Please give the order number, {order}.",
  deliveryNote:
    "Please check the books when they arrive, and tell us within two days if anything is missing or damaged.",
};
