import type { Database } from "#shared/calls/database.types.ts";
import type { NamesOf } from "#shared/calls/names-of.ts";
import { deliveryMethodName, isSent } from "./delivery.ts";

/**
 * What people type and choose of an order, in the order of an export. The columns that are read, what the checkout and
 * phone orders ask for, the order's pages, documents, dialog, list, emails, export and activity log follow from this list;
 * private.order_texts is the database's half of it.
 */

type OrderRow = Database["public"]["Tables"]["orders"]["Row"];

type FieldDefinition = {
  name: keyof OrderRow;
  /** For staff. */
  label: string;
  /** For the customer, if it differs. */
  ownLabel?: string;
  kind: "line" | "text" | "digital_address" | "choice";
  /** The most characters that the database takes. */
  limit?: number;
  /** Typed in the form about the delivery; the others are the recipient's and have a form of their own. */
  ofDelivery?: true;
  /** An order to collect has none. */
  travels?: true;
  /** Only an order with this way of delivery has it. */
  onlyFor?: "bus_station";
  /** The profile has the same column, with which the next order's form is filled. */
  remembered?: true;
  hint?: string;
  /** Names the order to its customer: at the head of its documents, and in the back office's list. */
  identifies?: true;
};

export const orderFields = [
  { name: "recipient_name", label: "Recipient", kind: "line", limit: 200 },
  { name: "recipient_email", label: "Recipient email", kind: "line", limit: 320 },
  { name: "recipient_phone", label: "Recipient phone", kind: "line", limit: 40 },
  { name: "shipping_address", label: "Shipping address", kind: "line", limit: 1_000 },
  { name: "region", label: "Region", kind: "choice", ofDelivery: true, travels: true, remembered: true },
  {
    name: "landmark",
    label: "Landmark",
    kind: "line",
    limit: 200,
    ofDelivery: true,
    travels: true,
    remembered: true,
    hint: "A place nearby that the driver will know.",
  },
  {
    name: "digital_address",
    label: "Digital address",
    kind: "digital_address",
    ofDelivery: true,
    travels: true,
    remembered: true,
  },
  { name: "delivery_method", label: "Delivery", kind: "choice", ofDelivery: true, remembered: true },
  {
    name: "bus_station",
    label: "Bus parcel station",
    kind: "line",
    limit: 200,
    ofDelivery: true,
    onlyFor: "bus_station",
    remembered: true,
  },
  { name: "delivery_note", label: "Delivery note", kind: "text", limit: 500, ofDelivery: true },
  {
    name: "customer_reference",
    label: "Customer's reference",
    ownLabel: "Your reference",
    kind: "line",
    limit: 60,
    ofDelivery: true,
    hint: "For example, a school's own number for this order. It is put on the order's documents.",
    identifies: true,
  },
] as const satisfies readonly FieldDefinition[];

/** Shipping details, typed by staff; private.shipment_texts is the same list in the database. */
export const shipmentFields = [
  { name: "carrier", label: "Carrier", limit: 100, hint: "For example, a bus company or your own driver." },
  { name: "parcel_number", label: "Parcel or bus number", limit: 60 },
  { name: "driver_phone", label: "Driver's phone", limit: 40 },
] as const satisfies readonly { name: keyof OrderRow; label: string; limit: number; hint?: string }[];

export type Shipment = Pick<OrderRow, (typeof shipmentFields)[number]["name"]>;

type Fields = typeof orderFields;
type Field = Fields[number];
type OrderField = Field["name"];
type Remembered = Extract<Field, { remembered: true }>["name"];
export type DeliveryField = Extract<Field, { ofDelivery: true }>["name"];

/** What people typed and chose of an order; an empty text is null. */
export type OrderTexts = Pick<OrderRow, OrderField>;

/** Of them, what the form about the delivery contains. */
export type Delivery = Pick<OrderRow, DeliveryField>;

/** What a profile remembers from the last order for the next one. */
export type RememberedDelivery = { [Name in Remembered]: string | null };

const listed: readonly (FieldDefinition & Field)[] = orderFields;

/** The columns, for queries; a comma follows the last. */
export const ORDER_COLUMNS = listed.map(({ name }) => `${name},`).join("") as NamesOf<Fields>;

/** For queries; ends with a comma. */
export const SHIPMENT_COLUMNS = shipmentFields.map(({ name }) => `${name},`).join("") as NamesOf<
  typeof shipmentFields
>;

/** The profile's, for queries; a comma follows the last. */
export const REMEMBERED_COLUMNS = listed
  .filter(({ remembered }) => remembered)
  .map(({ name }) => `${name},`)
  .join("") as NamesOf<Fields, { remembered: true }>;

export const deliveryFields = listed.filter(({ ofDelivery }) => ofDelivery) as readonly (FieldDefinition & {
  name: DeliveryField;
})[];

/** Optional texts that need no code of their own in a form. */
export const plainTexts = deliveryFields.filter(
  ({ kind, onlyFor }) => (kind === "line" || kind === "text") && !onlyFor,
);

/** The longest texts that the database takes, by column. */
export const orderTextLimits = Object.fromEntries(
  listed.flatMap(({ name, limit }) => (limit === undefined ? [] : [[name, limit]])),
) as { readonly [F in Extract<Field, { limit: number }> as F["name"]]: F["limit"] };

/** The purchase order of an accepted quote is its order's reference too, and shown with the quote. */
type Placed = Delivery & { quote?: { purchase_order_number: string | null } | null };
type Reader = "customer" | "staff";
/** Names and values. */
type Facts = [name: string, value: string][];

/** How an order reaches its customer beyond its recipient and address, without what is empty or usual. */
export function deliveryFacts(order: Delivery): Facts {
  const { delivery_method: method, bus_station: station } = order;
  const isUsual = isSent(method) && method !== "bus_station";
  const how = [deliveryMethodName(method), method === "bus_station" && station].filter(Boolean).join(": ");
  const others = deliveryFields.filter(
    ({ name, onlyFor, identifies }) => name !== "delivery_method" && !onlyFor && !identifies,
  );
  const facts: Facts = others.map(({ name, label }) => [label, order[name] ?? ""]);
  return [["Delivery", isUsual ? "" : how] as Facts[number], ...facts].filter(([, value]) => value !== "");
}

/** What names an order to its customer, unless it is empty. */
export function referenceFacts(order: Placed, reader: Reader): Facts {
  return deliveryFields.flatMap(({ name, label, ownLabel, identifies }): Facts => {
    const value = order[name];
    if (!identifies || !value || value === order.quote?.purchase_order_number) return [];
    return [[reader === "customer" ? (ownLabel ?? label) : label, value]];
  });
}

/** An order's shipping details, without empty ones. */
export function shipmentFacts(order: Shipment): Facts {
  return shipmentFields.flatMap(({ name, label }): Facts => {
    const value = order[name];
    return value ? [[label, value]] : [];
  });
}

/** Both. */
export function orderFacts(order: Placed, reader: Reader): Facts {
  return [...deliveryFacts(order), ...referenceFacts(order, reader)];
}
