import { expect, test } from "vitest";
import { firstShop, type SettingName } from "#app/owner/settings.ts";
import { readSettingText, settingText } from "./setting-text.ts";

test("every first value is read from its own text as it was", () => {
  for (const [name, value] of Object.entries(firstShop) as [SettingName, unknown][])
    expect([name, readSettingText(name, settingText(name, value))]).toEqual([name, { value }]);
});

test.each([
  ["Everywhere: 45", [{ fee: 45 }]],
  [
    "greater accra, below 300: 20.50\n Volta, Oti : GH₵0\n",
    [
      { regions: ["Greater Accra"], below: 300, fee: 20.5 },
      { regions: ["Volta", "Oti"], fee: 0 },
    ],
  ],
  ["", []],
] as const)("the delivery fees '%s' are read", (text, value) => {
  expect(readSettingText("deliveryFees", text)).toEqual({ value });
  expect(readSettingText("deliveryFees", settingText("deliveryFees", value))).toEqual({ value });
});

test.each([
  ["deliveryFees", "Lagos: 20", "'Lagos: 20' can't be read."],
  ["deliveryFees", "Volta", "'Volta' can't be read."],
  ["deliveryFees", "Everywhere, Volta: 20", "can't be read."],
  ["deliveryFees", "Everywhere: 20.005", "can't be read."],
  ["taxes", "VAT", "'VAT' can't be read. Write each tax as its name and its percentage, such as 'VAT 15'."],
  ["searchWords", "maths, mathematics\nscience", "'science' can't be read."],
  ["lowStock", "ten", "Write a whole number."],
  ["name", "  ", "Name is required."],
  ["years", "more than twenty years", "Years is too long (at most 20 characters)."],
] as const)("a bad %s is refused in words: %s", (name, text, problem) => {
  expect(readSettingText(name, text)).toEqual({ problem: expect.stringContaining(problem) });
});

test("taxes are read with and without a percent sign, whatever their names", () => {
  expect(readSettingText("taxes", "VAT 15\nNHIL and GETFund 2.5 %")).toEqual({
    value: [
      { name: "VAT", percent: 15 },
      { name: "NHIL and GETFund", percent: 2.5 },
    ],
  });
});
