import {
  DELIVERY_METHODS,
  type Delivery,
  type DeliveryMethod,
  feesNameRegions,
  type RememberedDelivery,
} from "#app/lib/delivery.ts";
import { shop } from "#app/owner/shop.ts";
import { DIGITAL_ADDRESS_MALFORMED, digitalAddress } from "./digital-address.ts";

/** How the customer wants to receive the order, as typed, without empty fields. */
export type DeliveryForm = {
  delivery_method: DeliveryMethod;
  bus_station: string;
  region: string;
  landmark: string;
  digital_address: string;
  delivery_note: string;
};

export const emptyDeliveryForm: DeliveryForm = {
  delivery_method: "deliver",
  bus_station: "",
  region: "",
  landmark: "",
  digital_address: "",
  delivery_note: "",
};

export type DeliveryProblem = { field: keyof DeliveryForm; message: string };

type DeliveryRules = { regionRequired: boolean };

/** What an order's delivery requires and a profile's does not. The database checks it too. */
export const orderRules: DeliveryRules = { regionRequired: feesNameRegions(shop.delivery.fees) };

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

/** What the order stores: for one to collect, nothing about delivery. */
export function deliveryOf(form: DeliveryForm): Delivery {
  const travels = form.delivery_method !== "collect";
  return {
    delivery_method: form.delivery_method,
    bus_station: form.delivery_method === "bus_station" ? form.bus_station.trim() || null : null,
    region: (travels && form.region) || null,
    landmark: (travels && form.landmark.trim()) || null,
    digital_address: (travels && digitalAddress(form.digital_address)) || null,
    delivery_note: form.delivery_note.trim() || null,
  };
}

/** What the profile stores for the next order. Collecting an order leaves earlier delivery places unchanged. */
export function toRemember(form: DeliveryForm): Partial<RememberedDelivery> {
  const { delivery_note: _, ...delivery } = deliveryOf(form);
  return Object.fromEntries(Object.entries(delivery).filter(([, value]) => value !== null));
}

/** The form filled from the profile, unless something has been typed into it. */
export function withRemembered(form: DeliveryForm, profile: RememberedDelivery): DeliveryForm {
  const names = Object.keys(emptyDeliveryForm) as (keyof DeliveryForm)[];
  if (names.some((name) => form[name] !== emptyDeliveryForm[name])) return form;
  return {
    ...form,
    delivery_method: DELIVERY_METHODS.find((method) => method === profile.delivery_method) ?? "deliver",
    bus_station: profile.bus_station ?? "",
    region: profile.region ?? "",
    landmark: profile.landmark ?? "",
    digital_address: profile.digital_address ?? "",
  };
}
