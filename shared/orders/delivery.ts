import { BY_DOWNLOAD } from "./by-download.ts";

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

export const DELIVERY_METHODS = ["deliver", "collect", "bus_station", "download"] as const;

/** For orders of digital titles alone, and only for those. */
export const DOWNLOAD = "download";

/** The delivery methods for an order with something to deliver. */
export const CHOSEN_METHODS = DELIVERY_METHODS.filter((method) => method !== DOWNLOAD);

export type DeliveryMethod = (typeof DELIVERY_METHODS)[number];

export const deliveryMethodNames: Readonly<Record<DeliveryMethod, string>> = {
  deliver: "Deliver to the address",
  collect: "Collect at the shop",
  bus_station: "Bus parcel station",
  download: BY_DOWNLOAD,
};

/** Reads a method from the database; an unknown one is shown as it is. */
export function deliveryMethodName(method: string): string {
  return Object.hasOwn(deliveryMethodNames, method) ? deliveryMethodNames[method as DeliveryMethod] : method;
}

/**
 * One line of the owner's list: what delivery costs by this method, or both, to these regions, or everywhere, for orders
 * whose books cost less than `below`, or any. Both amounts in cedis.
 */
export type DeliveryFee = {
  method?: Exclude<DeliveryMethod, "collect" | "download">;
  regions?: readonly Region[];
  below?: number;
  fee: number;
};

/** Whether an order goes to an address or a station. An unknown method counts as a delivery. */
export const isSent = (method: string): boolean => method !== "collect" && method !== DOWNLOAD;

/** Whether the delivery fee by this method depends on the region: an order must then have one. */
export function feesNameRegions(fees: readonly DeliveryFee[], method: DeliveryMethod): boolean {
  if (!isSent(method)) return false;
  return fees.some((fee) => fee.regions !== undefined && (fee.method ?? method) === method);
}

/**
 * The heading above an order's recipient, and whether the order goes to their address: one that is collected or
 * downloaded doesn't. An unknown method counts as a delivery.
 */
export function destinationOf(method: string): { heading: string; hasAddress: boolean } {
  if (method === "collect") return { heading: "To be collected by", hasAddress: false };
  if (method === DOWNLOAD) return { heading: "To be downloaded by", hasAddress: false };
  return { heading: method === "bus_station" ? "Send by bus to" : "Deliver to", hasAddress: true };
}
