import { expect, test } from "vitest";
import { noOrderTexts as nothing } from "./order-examples.ts";
import { deliveryFacts, orderFacts, referenceFacts } from "./order-fields.ts";

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

test("A customer's reference is called theirs by staff, and once shown with its quote it isn't shown again", () => {
  const order = { ...nothing, landmark: "The old mill", customer_reference: "PO 17" };
  expect(orderFacts(order, "customer")).toEqual([
    ["Landmark", "The old mill"],
    ["Your reference", "PO 17"],
  ]);
  expect(referenceFacts(order, "staff")).toEqual([["Customer's reference", "PO 17"]]);
  const quoted = (purchase_order_number: string | null) =>
    referenceFacts({ ...order, quote: { purchase_order_number } }, "staff");
  expect(quoted("PO 17")).toEqual([]);
  expect(quoted(null)).toHaveLength(1);
  expect(referenceFacts(nothing, "staff")).toEqual([]);
});
