import { expect, test } from "vitest";
import { contradictions } from "./contradictions.ts";
import { ownShop } from "./own-shop.ts";
import { firstShop, type Shop } from "./settings.ts";

const deliveryFees: Shop["deliveryFees"] = [{ regions: ["Ashanti"], fee: 45 }];
const found = (others: Partial<Shop>) =>
  contradictions({ ...firstShop, ...others }).map(({ name, but }) => [name, but]);

test("finds nothing in the first settings of a shop, with the demo or without", () => {
  expect(found({})).toEqual([]);
  expect(found(ownShop)).toEqual([]);
});

test("names every text that promises free delivery once there are delivery fees", () => {
  const names = found({ deliveryFees }).map(([name]) => name);
  expect(names).toEqual(["deliveryPromise", "deliveryTitle", "deliveryReason", "deliveryTerms"]);
  const terms = contradictions({ ...firstShop, deliveryFees }).at(-1);
  expect(terms).toMatchObject({ decidedBy: "deliveryFees", but: "there are delivery fees" });
  expect(terms?.sentence).toMatch(/^Delivery is free across Ghana/);
});

test("names a delivery text with an amount while no fees are set", () => {
  expect(found({ deliveryTerms: "Delivery to Ashanti costs GH₵45." })).toEqual([
    ["deliveryTerms", "no delivery fees are set"],
  ]);
});

test("says nothing about collecting, or about what else is free", () => {
  const words = "Collecting at the shop is free, delivery is not. Advice is free.";
  const names = found({ deliveryFees, deliveryTerms: words }).map(([name]) => name);
  expect(names).not.toContain("deliveryTerms");
});

test("names a text with another number than that of mobile money, however either is written", () => {
  const wallet = { mobileMoneyNumber: "0244 123 456", payment: "Pay within a day." };
  expect(found({ ...wallet, howToPay: "MoMo 0209-999-999, order {order}." })).toEqual([
    ["howToPay", "mobile money goes to 0244 123 456"],
  ]);
  expect(found({ ...wallet, howToPay: "MoMo +233 244123456. Call +233 30 200 0140." })).toEqual([]);
});

test("names a text that has customers pay later once orders show the number of mobile money", () => {
  const later = contradictions({ ...firstShop, mobileMoneyNumber: "0244 123 456" });
  expect(later.map(({ name }) => name)).toEqual(["payment", "payment"]);
  expect(later[0]).toMatchObject({
    sentence: "You don't pay when you order.",
    but: "orders show what to pay to 0244 123 456 as soon as they are placed",
  });
  expect(
    found({ mobileMoneyNumber: "0244 123 456", payment: "Pay when you order, or on delivery." }),
  ).toEqual([]);
});

test.each<[string, Partial<Shop>, string]>([
  ["years", { years: "12+" }, "Years says 12+"],
  ["institutions", { institutions: "650" }, "Institutions says 650"],
])("names a text whose number of %s is not the shop's figure", (_, changed, but) => {
  const all = found(changed);
  expect(all.length).toBeGreaterThan(0);
  expect(new Set(all.map(([, each]) => each))).toEqual(new Set([but]));
});
