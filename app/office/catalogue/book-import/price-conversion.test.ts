import { describe, expect, it } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { fc } from "#tests/support/properties.ts";
import {
  conversionWords,
  convertPrice,
  formatListed,
  readAddition,
  readRate,
  sourceOf,
} from "./price-conversion.ts";

const pounds = (amount: number, rate: number, percent: number, roundTo: number) =>
  convertPrice({ amount, currency: "GBP" }, { rates: { GBP: rate }, percent, roundTo: roundTo as Pesewas });

describe("a price of another currency", () => {
  it.each([
    // 12.99 × 15.80 × 1.12 = 229.87104
    [1299, 15.8, 12, 50, 23_000],
    [1299, 15.8, 12, 5, 22_985],
    [1299, 15.8, 12, 1, 22_987],
    [850, 15.8, 12, 50, 15_050],
    [12_500, 15.8, 12, 100, 221_200],
    [500, 10, 0, 1, 5_000],
    [0, 15.8, 12, 50, 0],
  ])("%i at %f, with %f %% added, to %i pesewas: %i", (amount, rate, percent, roundTo, pesewas) => {
    expect(pounds(amount, rate, percent, roundTo)).toBe(pesewas);
  });

  it("is rounded at half a multiple upwards, and just below it downwards", () => {
    expect(pounds(1025, 1, 0, 50)).toBe(1050);
    expect(pounds(1024, 1, 0, 50)).toBe(1000);
    expect(pounds(1075, 1, 0, 50)).toBe(1100);
    expect(pounds(1050, 1, 0, 100)).toBe(1100);
    // 1.0249999 cedis, which rounding to pesewas first would have made 1.03 and then 1.05.
    expect(pounds(100, 1.024999, 0, 5)).toBe(100);
    expect(pounds(100, 1.025, 0, 5)).toBe(105);
    // 0.1 + 0.2 and its like: 1.005 is 100.49999 pesewas for a computer.
    expect(pounds(100, 1.005, 0, 1)).toBe(101);
    expect(pounds(100, 1, 0.5, 1)).toBe(101);
  });

  it("is at least one multiple, unless the book is free", () => {
    expect(pounds(1, 0.01, 0, 50)).toBe(50);
    expect(pounds(0, 0.01, 0, 50)).toBe(0);
  });

  it("is nothing without its rate, and nothing that the shop cannot hold", () => {
    const conversion = { rates: { GBP: 15.8 }, percent: 0, roundTo: 1 as Pesewas };
    expect(convertPrice({ amount: 100, currency: "USD" }, conversion)).toBeNull();
    expect(convertPrice({ amount: 9_999_999_999, currency: "GBP" }, conversion)).toBeNull();
  });

  it("is a multiple of the rounding, at most half of one away from the exact price", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.integer({ min: -9_000, max: 90_000 }),
        fc.constantFrom(1, 5, 10, 50, 100, 500, 1000),
        (amount, micros, hundredths, roundTo) => {
          const price = pounds(amount, micros / 1e6, hundredths / 100, roundTo);
          if (price === null) return;
          expect(price % roundTo).toBe(0);
          const exact = BigInt(amount) * BigInt(micros) * BigInt(10_000 + hundredths);
          const away = BigInt(price) * 10_000_000_000n - exact;
          if (price > roundTo)
            expect(2n * (away < 0n ? -away : away) <= BigInt(roundTo) * 10_000_000_000n).toBe(true);
        },
      ),
    );
  });
});

describe("what is typed for it", () => {
  it.each([
    ["15.80", 15.8],
    ["0,0195", 0.0195],
    [" 12 ", 12],
    ["0", null],
    ["-3", null],
    ["12.3456789", null],
    ["", null],
  ])("as a rate, %s: %j", (typed, rate) => {
    expect(readRate(typed)).toBe(rate);
  });

  it.each([
    ["12", 12],
    ["12,5 %", 12.5],
    ["-5", -5],
    ["", 0],
    ["a lot", null],
    ["901", null],
  ])("as what is added, %s: %j", (typed, percent) => {
    expect(readAddition(typed)).toBe(percent);
  });
});

it("is written with its sign", () => {
  expect(formatListed({ amount: 123_450, currency: "GBP" })).toBe("£1,234.50");
  expect(formatListed({ amount: 800, currency: "SEK" })).toBe("SEK 8.00");
});

it.each([
  ["Collins_prices-2026-11 (2).xlsx", "Collins prices"],
  ["01-publisher-pounds.csv", "publisher pounds"],
  ["Kaneshie price list November 2026.csv", "Kaneshie price list"],
  ["2026-11-01.csv", "Price list"],
  ["collins-prices-to-repair.csv", "collins prices"],
])("%s is a list of %s", (fileName, source) => {
  expect(sourceOf(fileName)).toBe(source);
});

it("is explained in words", () => {
  const roundTo = 50 as Pesewas;
  expect(conversionWords({ rates: { GBP: 15.8, USD: 12 }, percent: 12, roundTo })).toBe(
    "£1 = GH₵15.80, US$1 = GH₵12.00, 12 % added, rounded to GH₵0.50",
  );
  expect(conversionWords({ rates: { NGN: 0.0095 }, percent: -5, roundTo })).toBe(
    "₦1 = GH₵0.0095, 5 % taken off, rounded to GH₵0.50",
  );
});
