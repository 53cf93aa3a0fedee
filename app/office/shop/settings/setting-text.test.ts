import { expect, test } from "vitest";
import { firstShop, type SettingName } from "#shared/owner/settings.ts";
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
  [
    "Northern, By bus, below 300: 25\nEverywhere, to the address: 60\nEverywhere: 15",
    [
      { method: "bus_station", regions: ["Northern"], below: 300, fee: 25 },
      { method: "deliver", fee: 60 },
      { fee: 15 },
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
  ["deliveryFees", "Everywhere, by bus, to the address: 20", "can't be read."],
  ["deliveryFees", "By bus: 20", "can't be read."],
  ["deliveryFees", "Everywhere: 20.005", "can't be read."],
  ["taxes", "VAT", "'VAT' can't be read. Write each tax as its name and its percentage, such as 'VAT 15'."],
  ["schoolTerms", "Term 1: 2026-09-15", "'Term 1: 2026-09-15' can't be read."],
  ["schoolTerms", "Term 1: 2026-02-30 to 2026-03-01", "can't be read."],
  ["schoolTerms", "Term 1: 2026-09-15 to 2026-09-14", "can't be read."],
  ["searchWords", "maths, mathematics\nscience", "'science' can't be read."],
  ["lowStock", "ten", "Write a whole number, 0 or more."],
  ["name", "  ", "Name is required."],
  ["years", "more than twenty years", "Years is too long (at most 20 characters)."],
] as const)("a bad %s is refused in words: %s", (name, text, problem) => {
  expect(readSettingText(name, text)).toEqual({ problem: expect.stringContaining(problem) });
});

test("school terms are read, with any name", () => {
  const value = [
    { name: "Term 1: 2026/27", from: "2026-09-15", to: "2026-12-17" },
    { name: "Term 2", from: "2027-01-12", to: "2027-04-15" },
  ];
  const text = "Term 1: 2026/27: 2026-09-15 to 2026-12-17\n Term 2 : 2027-01-12 TO 2027-04-15";
  expect(readSettingText("schoolTerms", text)).toEqual({ value });
  expect(readSettingText("schoolTerms", settingText("schoolTerms", value))).toEqual({ value });
});

test("taxes are read with and without a percent sign, whatever their names", () => {
  expect(readSettingText("taxes", "VAT 15\nNHIL and GETFund 2.5 %")).toEqual({
    value: [
      { name: "VAT", percent: 15 },
      { name: "NHIL and GETFund", percent: 2.5 },
    ],
  });
});
