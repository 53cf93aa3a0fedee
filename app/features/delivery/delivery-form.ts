import type { FieldErrors } from "#app/components/use-form.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import {
  CHOSEN_METHODS,
  type DeliveryFee,
  type DeliveryMethod,
  DOWNLOAD,
  feesNameRegions,
  isSent,
} from "#shared/orders/delivery.ts";
import {
  type Delivery,
  type DeliveryField,
  deliveryFields,
  type OrderTexts,
  type RememberedDelivery,
} from "#shared/orders/order-fields.ts";
import { DIGITAL_ADDRESS_MALFORMED, digitalAddress } from "./digital-address.ts";
import {
  emptyShippingForm,
  findProblem,
  noAddress,
  type ShippingForm,
  shippingAddress,
} from "./shipping-form.ts";

/** How the customer wants to receive the order, as typed, without empty fields. */
export type DeliveryForm = Record<DeliveryField, string> & { delivery_method: DeliveryMethod };

export const emptyDeliveryForm = {
  ...Object.fromEntries(deliveryFields.map(({ name }) => [name, ""])),
  delivery_method: "deliver",
} as DeliveryForm;

/** What an order needs: who receives it, and how. */
export type OrderForm = ShippingForm & DeliveryForm;

export const emptyOrderForm: OrderForm = { ...emptyShippingForm, ...emptyDeliveryForm };

type DeliveryProblem = { field: keyof DeliveryForm; message: string };

/**
 * The first problem in the order of the form; null when there is none. The database checks it too.
 * @param fees the shop's delivery fees, for an order; it must have a region if they depend on it
 */
export function findDeliveryProblem(
  { delivery_method: method, bus_station, region, digital_address }: DeliveryForm,
  fees: readonly DeliveryFee[] = [],
): DeliveryProblem | null {
  if (method === "bus_station" && !bus_station.trim())
    return { field: "bus_station", message: "Please fill in the bus parcel station" };
  if (!region && feesNameRegions(fees, method)) return { field: "region", message: "Please choose a region" };
  if (isSent(method) && digitalAddress(digital_address) === null)
    return { field: "digital_address", message: DIGITAL_ADDRESS_MALFORMED };
  return null;
}

/** The form's values for the order, without delivery fields if nothing is delivered. */
export const asOrdered = <Form extends OrderForm>(form: Form, isDownloaded: boolean): Form =>
  isDownloaded ? { ...form, ...noAddress, delivery_method: DOWNLOAD } : form;

/** The first problem of an order's form as its field's error; empty when there is none. */
export function findOrderErrors(form: OrderForm): FieldErrors<OrderForm> {
  const hasAddress = form.delivery_method !== DOWNLOAD;
  return errorsOf(findProblem(form, hasAddress) ?? findDeliveryProblem(form, currentShop().deliveryFees));
}

/** A problem as its field's error. */
export const errorsOf = (problem: { field: string; message: string } | null): Record<string, string> =>
  problem ? { [problem.field]: problem.message } : {};

/** The order's columns; collected and downloaded orders have no route. */
export function deliveryOf(form: DeliveryForm): Delivery {
  const method = form.delivery_method;
  const stored = deliveryFields.map(({ name, kind, travels, onlyFor }) => {
    const applies = (isSent(method) || !travels) && (!onlyFor || onlyFor === method);
    const text = kind === "digital_address" ? digitalAddress(form[name]) : form[name].trim();
    return [name, (applies && text) || null];
  });
  return Object.fromEntries(stored);
}

/** What an order stores of its form. */
export function orderTextsOf(form: OrderForm): OrderTexts {
  return {
    shipping_address: shippingAddress(form) || null,
    recipient_name: form.fullName.trim(),
    recipient_email: form.email.trim(),
    recipient_phone: form.phone.trim(),
    ...deliveryOf(form),
  };
}

const rememberedFields = deliveryFields.filter(({ remembered }) => remembered);

/** The profile's columns: an order's texts that the next one may reuse, but not that it was downloaded. */
export function rememberedOf(form: DeliveryForm): RememberedDelivery {
  const delivery = deliveryOf(form);
  const remembered = rememberedFields.map(({ name }) => [
    name,
    delivery[name] === DOWNLOAD ? null : delivery[name],
  ]);
  return Object.fromEntries(remembered) as RememberedDelivery;
}

/** The same after an order: collecting one leaves earlier delivery places unchanged. */
export function toRemember(form: DeliveryForm): Partial<RememberedDelivery> {
  return Object.fromEntries(Object.entries(rememberedOf(form)).filter(([, value]) => value !== null));
}

/** The form filled from the profile, unless something has been typed into it. */
export function withRemembered<Form extends DeliveryForm>(form: Form, profile: RememberedDelivery): Form {
  if (deliveryFields.some(({ name }) => form[name] !== emptyDeliveryForm[name])) return form;
  const remembered = rememberedFields.map(({ name }) => [
    name,
    profile[name as keyof RememberedDelivery] ?? "",
  ]);
  return {
    ...form,
    ...Object.fromEntries(remembered),
    delivery_method: CHOSEN_METHODS.find((method) => method === profile.delivery_method) ?? "deliver",
  };
}
