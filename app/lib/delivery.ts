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

/** How an order reaches its customer, with the field names of profiles, orders and emails. */
export type Delivery = {
  region: string | null;
  landmark: string | null;
  digital_address: string | null;
  delivery_method: string;
  bus_station: string | null;
  delivery_note: string | null;
};

/** What a profile remembers from the last order for the next one. */
export type RememberedDelivery = Omit<Delivery, "delivery_method" | "delivery_note"> & {
  delivery_method: string | null;
};

/** Its columns, for queries. */
export const DELIVERY_COLUMNS =
  "region, landmark, digital_address, delivery_method, bus_station, delivery_note" as const;

/** The longest texts that the database takes. */
export const deliveryLengths = { landmark: 200, bus_station: 200, delivery_note: 500 } as const;

/**
 * The heading above an order's recipient, and whether the order goes to their address: one that is collected doesn't.
 * An unknown method counts as a delivery.
 */
export function destinationOf(method: string): { heading: string; hasAddress: boolean } {
  if (method === "collect") return { heading: "To be collected by", hasAddress: false };
  return { heading: method === "bus_station" ? "Send by bus to" : "Deliver to", hasAddress: true };
}

/** The details of a delivery beyond its address, as names and values; empty for a plain delivery. */
export function deliveryFacts(delivery: Delivery): [name: string, value: string][] {
  const { delivery_method: method, bus_station, region, landmark, digital_address, delivery_note } = delivery;
  const how = method === "collect" || method === "bus_station" ? deliveryMethodNames[method] : null;
  const facts: [string, string | null][] = [
    ["Delivery", [how, method === "bus_station" && bus_station].filter(Boolean).join(": ")],
    ["Region", region],
    ["Landmark", landmark],
    ["Digital address", digital_address],
    ["Delivery note", delivery_note],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}
