import { expect, test } from "vitest";
import {
  deliveryOf,
  emptyDeliveryForm,
  findDeliveryProblem,
  toRemember,
  withRemembered,
} from "./delivery-form.ts";
import { DIGITAL_ADDRESS_MALFORMED } from "./digital-address.ts";

const full = {
  ...emptyDeliveryForm,
  region: "Ashanti",
  landmark: " Opposite the post office ",
  digital_address: "ak0395028",
  delivery_note: " Ring twice ",
  customer_reference: " PO 17 ",
};
const bus = { ...full, delivery_method: "bus_station", bus_station: " VIP, Asafo " } as const;
const collect = { ...full, delivery_method: "collect" } as const;

test("Everything is optional, except the name of a bus station that was chosen", () => {
  expect(findDeliveryProblem(emptyDeliveryForm)).toBe(null);
  expect(findDeliveryProblem({ ...bus, bus_station: "  " })).toEqual({
    field: "bus_station",
    message: "Please fill in the bus parcel station",
  });
  expect(findDeliveryProblem(bus)).toBe(null);
});

test("The first missing field is the region if the delivery fee depends on it", () => {
  const required = [{ regions: ["Volta"], fee: 9 }] as const;
  const problem = { field: "region", message: "Please choose a region" };
  expect(findDeliveryProblem({ ...emptyDeliveryForm, digital_address: "AK-1" }, required)).toEqual(problem);
  expect(findDeliveryProblem({ ...bus, region: "" }, required)).toEqual(problem);
  expect(findDeliveryProblem({ ...collect, region: "" }, required)).toBe(null);
  expect(findDeliveryProblem(bus, required)).toBe(null);
  const byBus = [{ ...required[0], method: "bus_station" }] as const;
  expect(findDeliveryProblem({ ...bus, region: "" }, byBus)).toEqual(problem);
  expect(findDeliveryProblem({ ...full, region: "" }, byBus)).toBe(null);
});

test("An invalid digital address is refused, unless the order is collected", () => {
  expect(findDeliveryProblem({ ...full, digital_address: "AK-1" })).toEqual({
    field: "digital_address",
    message: DIGITAL_ADDRESS_MALFORMED,
  });
  expect(findDeliveryProblem({ ...collect, digital_address: "AK-1" })).toBe(null);
});

test("An order keeps what was typed, cleaned, and a station only for a parcel that goes there", () => {
  expect(deliveryOf(emptyDeliveryForm)).toEqual({
    delivery_method: "deliver",
    bus_station: null,
    region: null,
    landmark: null,
    digital_address: null,
    delivery_note: null,
    customer_reference: null,
  });
  expect(deliveryOf({ ...full, bus_station: "VIP" })).toEqual({
    delivery_method: "deliver",
    bus_station: null,
    region: "Ashanti",
    landmark: "Opposite the post office",
    digital_address: "AK-039-5028",
    delivery_note: "Ring twice",
    customer_reference: "PO 17",
  });
  expect(deliveryOf(bus).bus_station).toBe("VIP, Asafo");
});

test("An order that is collected keeps only the note and the reference", () => {
  expect(deliveryOf(collect)).toMatchObject({ region: null, landmark: null, digital_address: null });
  expect(deliveryOf(collect)).toMatchObject({ delivery_note: "Ring twice", customer_reference: "PO 17" });
});

test("The profile remembers the delivery method and the places, not what is about one order, and keeps them when an order is collected", () => {
  expect(toRemember(bus)).toEqual({
    delivery_method: "bus_station",
    bus_station: "VIP, Asafo",
    region: "Ashanti",
    landmark: "Opposite the post office",
    digital_address: "AK-039-5028",
  });
  expect(toRemember(collect)).toEqual({ delivery_method: "collect" });
});

test("A downloaded order stores no delivery details, and the profile doesn't remember the method", () => {
  const download = { ...full, delivery_method: "download" as const, region: "", digital_address: "GA-1" };
  expect(deliveryOf(download)).toMatchObject({ delivery_method: "download", region: null, landmark: null });
  expect(toRemember(download)).toEqual({});
  expect(findDeliveryProblem(download, [{ regions: ["Volta"], fee: 9 }])).toBe(null);
  expect(
    withRemembered(emptyDeliveryForm, { ...deliveryOf(bus), delivery_method: "download" }).delivery_method,
  ).toBe("deliver");
});

test("An untouched form is filled in from the profile, but one that has been typed in is not", () => {
  const profile = { ...deliveryOf(bus), landmark: null };
  expect(withRemembered(emptyDeliveryForm, profile)).toEqual({
    delivery_method: "bus_station",
    bus_station: "VIP, Asafo",
    region: "Ashanti",
    landmark: "",
    digital_address: "AK-039-5028",
    delivery_note: "",
    customer_reference: "",
  });
  expect(withRemembered({ ...emptyDeliveryForm, delivery_note: "x" }, profile).region).toBe("");
  expect(withRemembered(emptyDeliveryForm, { ...profile, delivery_method: null }).delivery_method).toBe(
    "deliver",
  );
});
