import { expect, test } from "vitest";
import { firstShop, pageValues, type SettingName, settings } from "./settings.ts";
import { oftenEmpty } from "./shown-shop.ts";

test("gives a browser every value of a page, also those that the page leaves out because they are empty", () => {
  const shops = [
    firstShop,
    { ...firstShop, mobileMoneyName: "Sankofa Ltd", mobileMoneyNumber: "0244 123 456" },
  ];
  for (const shop of shops) {
    const read = Object.keys(settings) as SettingName[];
    const ofPages = read.filter((name) => settings[name].reader === "page");
    expect({ ...oftenEmpty, ...JSON.parse(pageValues(shop)) }).toEqual(
      Object.fromEntries(ofPages.map((name) => [name, shop[name]])),
    );
  }
  expect(pageValues(firstShop)).not.toContain("mobileMoneyNumber");
});
