import { expect, test } from "vitest";
import { ownShop } from "#shared/owner/own-shop.ts";
import { firstShop, type Shop, shopWith } from "#shared/owner/settings.ts";
import { listFirstSteps } from "./first-steps.ts";

const machine = { variables: [], hasMailServer: true, hasBackup: true as boolean | null };
const keys = (shop: Shop, hasDemo = false, changed: Partial<typeof machine> = {}, has = {}) =>
  listFirstSteps({
    shop,
    machine: { ...machine, ...changed },
    hasDemo,
    ...{ hasBooks: true, hasOrders: true, ...has },
  }).map(({ key }) => key);

const finished = shopWith({
  ...ownShop,
  name: "Kente Books",
  registrationNumber: "BN123",
  address: ["1 High Street"],
  phones: ["+233 30 200 0000"],
  email: "hello@kente.example",
  story: ["We began."],
  deliveryTerms: "Two days.",
  openingDone: ["mail", "law", "staff"],
});

test("a shop with the demo's words has everything to do, in the order in which an owner would do it", () => {
  expect(keys(firstShop, true, { hasMailServer: false, hasBackup: false })).toEqual([
    ...["name", "registration", "contact", "home", "claims", "story", "delivery", "payment"],
    ...["law", "demo-books", "staff", "mail", "backup"],
  ]);
});

test("a shop without the demo is asked only for what is missing", () => {
  expect(keys(shopWith(ownShop))).toEqual([
    "name",
    "registration",
    "contact",
    "story",
    "delivery",
    "law",
    "staff",
    "mail",
  ]);
  expect(keys(finished)).toEqual([]);
  expect(keys(finished, false, { hasBackup: null })).toEqual([]);
  expect(keys(finished, false, {}, { hasBooks: false, hasOrders: false })).toEqual(["books"]);
  expect(keys(finished, false, {}, { hasOrders: false })).toEqual(["order"]);
});

test("one of the demo's claims is enough to be asked about them", () => {
  expect(keys({ ...finished, satisfaction: firstShop.satisfaction })).toEqual(["claims"]);
});

test("what was dismissed is left out", () => {
  expect(keys({ ...firstShop, openingDone: ["name", "claims"] })).not.toContain("claims");
});
