import { expect, test } from "vitest";
import { deliveryFacts, feesNameRegions } from "./delivery.ts";

test("Fees that name regions depend on the region of an order; others don't", () => {
  expect(feesNameRegions([])).toBe(false);
  expect(feesNameRegions([{ below: 300, fee: 20 }, { fee: 0 }])).toBe(false);
  expect(feesNameRegions([{ fee: 20 }, { regions: ["Volta"], fee: 0 }])).toBe(true);
});

const nothing = {
  region: null,
  landmark: null,
  digital_address: null,
  delivery_method: "deliver",
  bus_station: null,
  delivery_note: null,
};

test("An ordinary delivery adds no lines to an order", () => {
  expect(deliveryFacts(nothing)).toEqual([]);
});

test("A bus station's name is used only for a parcel that is sent there", () => {
  const station = { ...nothing, bus_station: "VIP, Kumasi Asafo" };
  expect(deliveryFacts(station)).toEqual([]);
  expect(deliveryFacts({ ...station, delivery_method: "bus_station", region: "Ashanti" })).toEqual([
    ["Delivery", "Bus parcel station: VIP, Kumasi Asafo"],
    ["Region", "Ashanti"],
  ]);
});

test("An order to be collected says so", () => {
  expect(deliveryFacts({ ...nothing, delivery_method: "collect", delivery_note: "After 3 pm" })).toEqual([
    ["Delivery", "Collect at the shop"],
    ["Delivery note", "After 3 pm"],
  ]);
});

test("A landmark and a digital address are named with the order", () => {
  const found = { ...nothing, landmark: "Behind the post office", digital_address: "GA-183-8164" };
  expect(deliveryFacts(found)).toEqual([
    ["Landmark", "Behind the post office"],
    ["Digital address", "GA-183-8164"],
  ]);
});
