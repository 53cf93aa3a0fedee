import { DELIVERY_METHODS, type DeliveryMethod, feesNameRegions } from "#app/lib/delivery.ts";
import {
  type Delivery,
  type DeliveryField,
  deliveryFields,
  type OrderTexts,
  type RememberedDelivery,
} from "#app/lib/order-fields.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import { DIGITAL_ADDRESS_MALFORMED, digitalAddress } from "./digital-address.ts";
import { type ShippingForm, shippingAddress } from "./shipping-form.ts";

/** How the customer wants to receive the order, as typed, without empty fields. */
export type DeliveryForm = Record<DeliveryField, string> & { delivery_method: DeliveryMethod };

export const emptyDeliveryForm = {
  ...Object.fromEntries(deliveryFields.map(({ name }) => [name, ""])),
  delivery_method: "deliver",
} as DeliveryForm;

export type DeliveryProblem = { field: keyof DeliveryForm; message: string };

type DeliveryRules = { regionRequired: boolean };

/** What an order's delivery requires and a profile's does not. The database checks it too. */
export const orderRules = (): DeliveryRules => ({
  regionRequired: feesNameRegions(currentShop().deliveryFees),
});

/** The first problem in the order of the form; null when there is none. */
export function findDeliveryProblem(
  form: DeliveryForm,
  { regionRequired }: DeliveryRules = { regionRequired: false },
): DeliveryProblem | null {
  if (form.delivery_method === "bus_station" && !form.bus_station.trim())
    return { field: "bus_station", message: "Please fill in the bus parcel station" };
  if (regionRequired && form.delivery_method !== "collect" && !form.region)
    return { field: "region", message: "Please choose a region" };
  if (form.delivery_method !== "collect" && digitalAddress(form.digital_address) === null)
    return { field: "digital_address", message: DIGITAL_ADDRESS_MALFORMED };
  return null;
}

/** What the order stores: for one to collect, nothing about the way there. */
export function deliveryOf(form: DeliveryForm): Delivery {
  const method = form.delivery_method;
  const stored = deliveryFields.map(({ name, kind, travels, onlyFor }) => {
    const applies = !(travels && method === "collect") && (!onlyFor || onlyFor === method);
    const text = kind === "digital_address" ? digitalAddress(form[name]) : form[name].trim();
    return [name, (applies && text) || null];
  });
  return Object.fromEntries(stored);
}

/** What an order stores of both forms. */
export function orderTextsOf(recipient: ShippingForm, delivery: DeliveryForm): OrderTexts {
  return {
    shipping_address: shippingAddress(recipient),
    recipient_name: recipient.fullName.trim(),
    recipient_email: recipient.email.trim(),
    recipient_phone: recipient.phone.trim(),
    ...deliveryOf(delivery),
  };
}

const rememberedFields = deliveryFields.filter(({ remembered }) => remembered);

/** What the profile stores: an order's texts that the next one may need too. */
export function rememberedOf(form: DeliveryForm): RememberedDelivery {
  const delivery = deliveryOf(form);
  return Object.fromEntries(rememberedFields.map(({ name }) => [name, delivery[name]])) as RememberedDelivery;
}

/** The same after an order: collecting one leaves earlier delivery places unchanged. */
export function toRemember(form: DeliveryForm): Partial<RememberedDelivery> {
  return Object.fromEntries(Object.entries(rememberedOf(form)).filter(([, value]) => value !== null));
}

/** The form filled from the profile, unless something has been typed into it. */
export function withRemembered(form: DeliveryForm, profile: RememberedDelivery): DeliveryForm {
  if (deliveryFields.some(({ name }) => form[name] !== emptyDeliveryForm[name])) return form;
  const remembered = rememberedFields.map(({ name }) => [
    name,
    profile[name as keyof RememberedDelivery] ?? "",
  ]);
  return {
    ...form,
    ...Object.fromEntries(remembered),
    delivery_method: DELIVERY_METHODS.find((method) => method === profile.delivery_method) ?? "deliver",
  };
}
