/** Ghana's regions. `private.regions` in the database is the same list. */
export const REGIONS = [
  "Ahafo",
  "Ashanti",
  "Bono",
  "Bono East",
  "Central",
  "Eastern",
  "Greater Accra",
  "North East",
  "Northern",
  "Oti",
  "Savannah",
  "Upper East",
  "Upper West",
  "Volta",
  "Western",
  "Western North",
] as const;

type Region = (typeof REGIONS)[number];

export const DELIVERY_METHODS = ["deliver", "collect", "bus_station"] as const;

export type DeliveryMethod = (typeof DELIVERY_METHODS)[number];

export const deliveryMethodNames: Readonly<Record<DeliveryMethod, string>> = {
  deliver: "Deliver to the address",
  collect: "Collect at the shop",
  bus_station: "Bus parcel station",
};

/** Reads a method from the database; an unknown one is shown as it is. */
export function deliveryMethodName(method: string): string {
  return Object.hasOwn(deliveryMethodNames, method) ? deliveryMethodNames[method as DeliveryMethod] : method;
}

/**
 * One line of the owner's list: what delivery costs to these regions, or everywhere, for orders whose books cost less
 * than `below`, or any. Both amounts in cedis.
 */
export type DeliveryFee = { regions?: readonly Region[]; below?: number; fee: number };

/** Whether the delivery fee depends on the region: an order to be delivered must then have one. */
export function feesNameRegions(fees: readonly DeliveryFee[]): boolean {
  return fees.some(({ regions }) => regions !== undefined);
}

/**
 * The heading above an order's recipient, and whether the order goes to their address: one that is collected doesn't.
 * An unknown method counts as a delivery.
 */
export function destinationOf(method: string): { heading: string; hasAddress: boolean } {
  if (method === "collect") return { heading: "To be collected by", hasAddress: false };
  return { heading: method === "bus_station" ? "Send by bus to" : "Deliver to", hasAddress: true };
}
