import { expect, test } from "vitest";
import { manyPublishers } from "./many-publishers.ts";
import { allPublisherNames, publisherPagePath, publisherShopPath } from "./publisher.ts";

test("a publisher has a page by its slug, and its books in the shop by its encoded name", () => {
  expect(publisherPagePath("schofield")).toBe("/products/schofield");
  expect(publisherShopPath("Schofield & Sims")).toBe("/shop?publisher=Schofield%20%26%20Sims");
});

test("the back office offers the shop's publishers and those in the catalogue, each once, sorted", () => {
  expect(allPublisherNames(["CGP", "Cambridge University Press"], ["Collins", "Adom", "CGP"])).toEqual([
    "Adom",
    "Cambridge University Press",
    "CGP",
    "Collins",
  ]);
});

test("publishers are counted in words up to twelve", () => {
  expect([1, 6, 12, 13].map(manyPublishers)).toEqual([
    "One publisher",
    "Six publishers",
    "Twelve publishers",
    "13 publishers",
  ]);
});
