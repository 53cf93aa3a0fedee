import { type OrderTexts, orderFields, type Shipment, shipmentFields } from "./order-fields.ts";

/** For tests: of an order to be delivered, about which nothing was typed. */
export const noOrderTexts = {
  ...Object.fromEntries(orderFields.map(({ name }) => [name, null])),
  delivery_method: "deliver",
} as OrderTexts;

/** For tests: an order without shipping details. */
export const noShipment = Object.fromEntries(shipmentFields.map(({ name }) => [name, null])) as Shipment;
