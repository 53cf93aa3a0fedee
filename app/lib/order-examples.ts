import { type OrderTexts, orderFields } from "./order-fields.ts";

/** For tests: of an order to be delivered, about which nothing was typed. */
export const noOrderTexts = {
  ...Object.fromEntries(orderFields.map(({ name }) => [name, null])),
  delivery_method: "deliver",
} as OrderTexts;
