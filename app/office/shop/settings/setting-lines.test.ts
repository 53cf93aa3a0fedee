import { describe, expect, test } from "vitest";
import { type DeliveryFee, REGIONS } from "#shared/orders/delivery.ts";
import type { Tax } from "#shared/owner/document-terms.ts";
import { fc } from "#tests/support/properties.ts";
import { readSettingDraft, settingDraft } from "./setting-draft.ts";
import {
  type FeeCells,
  feeLines,
  readSettingLines,
  type SettingLines,
  settingLines,
  taxLines,
  withLine,
  withLineMoved,
} from "./setting-lines.ts";
import { readSettingText, settingText } from "./setting-text.ts";

const cedis = (min: number) => fc.integer({ min, max: 99_999_99 }).map((pesewas) => pesewas / 100);

/** What the database accepts as a line. */
const fees: fc.Arbitrary<DeliveryFee> = fc.record(
  {
    method: fc.constantFrom("deliver" as const, "bus_station" as const),
    regions: fc.array(fc.constantFrom(...REGIONS), { minLength: 1, maxLength: 20 }),
    below: cedis(1),
    fee: cedis(0),
  },
  { requiredKeys: ["fee"] },
);
const taxes: fc.Arbitrary<Tax> = fc.record({
  name: fc
    .string({ minLength: 1, maxLength: 60, unit: "grapheme-ascii" })
    .filter((name) => name.trim() === name && name !== ""),
  percent: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
});

describe("a list of delivery fees or taxes", () => {
  test("reads delivery fees and taxes back from the form's fields exactly as stored, with one line each", () => {
    fc.assert(
      fc.property(fc.array(fees, { maxLength: 8 }), fc.array(taxes, { maxLength: 8 }), (fee, tax) => {
        for (const [name, value] of [
          ["deliveryFees", fee],
          ["taxes", tax],
        ] as const) {
          const lines = settingLines(name, value);
          expect(lines).toHaveLength(value.length);
          expect(readSettingLines(name, lines as SettingLines)).toEqual({ value });
        }
      }),
    );
  });

  test("reads delivery fees and taxes back from their text exactly as stored, even lines that the notation can't express", () => {
    const odd = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fees, taxes, odd), { maxLength: 8 }), (value) => {
        // JSON has no negative zero, and no key that is a prototype.
        const stored = JSON.parse(JSON.stringify(value));
        for (const name of ["deliveryFees", "taxes"] as const)
          expect(readSettingText(name, settingText(name, stored))).toEqual({ value: stored });
      }),
    );
  });

  test.each([
    ["deliveryFees", [{ fee: 20.005 }]],
    ["deliveryFees", [{ fee: 45 }, { regions: ["Lagos"], fee: 20 }]],
    ["deliveryFees", [{ method: "drone", fee: 20 }]],
    ["deliveryFees", [{ fee: 20, weight: 5 }]],
    ["deliveryFees", [{ fee: 20, regions: [] }]],
    ["deliveryFees", [{ below: 300 }]],
    ["taxes", [{ name: "VAT", percent: 15, code: "V" }]],
    ["taxes", [{ name: "x".repeat(61), percent: 15 }]],
    ["taxes", [{ name: "VAT", percent: 0 }]],
    ["taxes", [{ name: "VAT", percent: 3.125 }]],
  ] as const)("is edited as text where fields would lose something: %s %j", (name, value) => {
    const draft = settingDraft(name, value);
    expect(draft).toBeTypeOf("string");
    expect(readSettingDraft(name, draft)).toEqual({ value });
    // A line that is added to it, and the others as they are.
    const more =
      name === "taxes"
        ? ["NHIL 2.5", { name: "NHIL", percent: 2.5 }]
        : ["Volta: 30", { regions: ["Volta"], fee: 30 }];
    expect(readSettingDraft(name, `${draft}\n${more[0]}`)).toEqual({ value: [...value, more[1]] });
  });
});

const cells = (changes: Partial<FeeCells>): FeeCells => ({
  regions: [],
  method: "",
  below: "",
  fee: "20",
  ...changes,
});

test.each([
  [{ fee: "GH₵ 1,250.50" }, { fee: 1250.5 }],
  [{ fee: " 0 " }, { fee: 0 }],
  [
    { below: "300 cedis", method: "deliver" },
    { method: "deliver", below: 300, fee: 20 },
  ],
] as const)("reads a delivery fee as people type it: %j", (changes, value) => {
  expect(feeLines.problemsOf(cells(changes))).toEqual({});
  expect(feeLines.valueOf(cells(changes))).toEqual(value);
});

test.each([
  [{ fee: "" }, { fee: "Enter the fee in cedis, such as 20; 0 is free." }],
  [{ fee: "free" }, { fee: expect.any(String) }],
  [{ fee: "-1" }, { fee: expect.any(String) }],
  [{ fee: "20.005" }, { fee: expect.any(String) }],
  [{ fee: "100000" }, { fee: expect.any(String) }],
  [{ below: "0" }, { below: "Enter an amount in cedis, such as 300, or leave it empty." }],
  [
    { below: "x", fee: "x" },
    { below: expect.any(String), fee: expect.any(String) },
  ],
] as const)("says at its field what is wrong with a delivery fee: %j", (changes, problems) => {
  expect(feeLines.problemsOf(cells(changes))).toEqual(problems);
});

test.each([
  ["VAT", "15", { name: "VAT", percent: 15 }],
  [" NHIL and GETFund ", "2,5 %", { name: "NHIL and GETFund", percent: 2.5 }],
])("reads the tax '%s' of '%s'", (name, percent, value) => {
  expect(taxLines.problemsOf({ name, percent })).toEqual({});
  expect(taxLines.valueOf({ name, percent })).toEqual(value);
});

test.each([
  [{ name: "", percent: "15" }, ["name"]],
  [{ name: "VAT", percent: "" }, ["percent"]],
  [{ name: "VAT", percent: "0" }, ["percent"]],
  [{ name: "VAT", percent: "101" }, ["percent"]],
  [{ name: "VAT", percent: "1,500" }, ["percent"]],
  [{ name: "VAT", percent: "1.500" }, ["percent"]],
  [{ name: "VAT", percent: "2.5000000000000004" }, ["percent"]],
  [{ name: "VAT", percent: "0.1255" }, ["percent"]],
  [{ name: "x".repeat(61), percent: "fifteen" }, ["name", "percent"]],
])("says at which field a tax is wrong: %j", (tax, fields) => {
  expect(Object.keys(taxLines.problemsOf(tax))).toEqual(fields);
});

test("names the first line that isn't complete", () => {
  const lines = [{ fee: 45 }, { fee: 20 }].map((fee, key) => ({ ...feeLines.cellsOf(fee), key }));
  const [first] = lines as [(typeof lines)[0]];
  expect(readSettingLines("deliveryFees", [first, { ...cells({ fee: "" }), key: 1 }])).toEqual({
    problem: "Check line 2.",
  });
});

test("adds a line with a key of its own, and moves lines but not past an end", () => {
  const keysOf = (lines: readonly { key: number }[]) => lines.map(({ key }) => key);
  const lines = withLine(withLine(withLine([], cells({})), cells({})), cells({}));
  expect(keysOf(lines)).toEqual([0, 1, 2]);
  expect(keysOf(withLine(lines.slice(1, 2), cells({})))).toEqual([1, 2]);
  expect(keysOf(withLineMoved(lines, 2, -1))).toEqual([0, 2, 1]);
  expect(keysOf(withLineMoved(lines, 0, 1))).toEqual([1, 0, 2]);
  expect(keysOf(withLineMoved(lines, 0, -1))).toEqual([0, 1, 2]);
  expect(keysOf(withLineMoved(lines, 2, 1))).toEqual([0, 1, 2]);
});
