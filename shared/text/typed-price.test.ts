import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { formatCediSign, formatCedis, maxPesewas, type Pesewas } from "./money.ts";
import { readPrice } from "./typed-price.ts";

describe("a typed price", () => {
  it.each([
    ["45", 4500],
    ["45.5", 4550],
    ["45.", 4500],
    [".5", 50],
    ["12,50", 1250],
    ["1,234", 123_400],
    [" 1,234.50 ", 123_450],
    ["1.234,50", 123_450],
    ["4 500", 450_000],
    ["GH₵1,234.50", 123_450],
    ["GHS 45.00", 4500],
    ["45 cedis", 4500],
    ["45/=", 4500],
    ["99999999.99", maxPesewas],
  ])("is read from %j", (text, pesewas) => {
    expect(readPrice(text)).toBe(pesewas);
  });

  it.each([
    "",
    ".",
    "GH₵",
    "free",
    "-1",
    "1,23,4",
    "1e3",
    "NaN",
    "Infinity",
    "19.9999",
    "100000000",
    "4/=5",
    "1234.567",
    "0.125",
  ])("is not guessed from %j", (text) => {
    expect(readPrice(text)).toBeNull();
  });

  it("can be read in two ways when a point comes before three digits", () => {
    expect(readPrice("1.234")).toBe("ambiguous");
  });

  it("is read back from every amount that the shop writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxPesewas }), (amount) => {
        expect(readPrice(formatCedis(amount as Pesewas))).toBe(amount);
        expect(readPrice(formatCediSign(amount as Pesewas))).toBe(amount);
      }),
    );
  });
});
