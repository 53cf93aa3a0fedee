import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cedisFromPesewas,
  formatCediSign,
  formatCedis,
  maxPesewas,
  type Pesewas,
  parseCedis,
  pesewasFromCedis,
  sumPesewas,
  timesQuantity,
} from "./money.ts";

describe("money", () => {
  it("writes cedis with two decimals and grouped thousands", () => {
    expect(formatCedis(pesewasFromCedis(1234.5))).toBe("GH₵1,234.50");
    expect(formatCedis(pesewasFromCedis(0))).toBe("GH₵0.00");
    expect(formatCedis(pesewasFromCedis(0.05))).toBe("GH₵0.05");
    expect(formatCedis(pesewasFromCedis(999.99))).toBe("GH₵999.99");
    expect(formatCedis(pesewasFromCedis(1_000_000))).toBe("GH₵1,000,000.00");
    expect(formatCedis(pesewasFromCedis(-12.3))).toBe("-GH₵12.30");
    expect(formatCedis(pesewasFromCedis(-0.001))).toBe("GH₵0.00");
  });

  it("writes the cedi sign alone for the totals of cart and checkout", () => {
    expect(formatCediSign(pesewasFromCedis(1234.5))).toBe("₵1,234.50");
  });

  it("adds what binary fractions get wrong", () => {
    const prices = [0.1, 0.2, 1.1, 2.2].map(pesewasFromCedis);
    expect(cedisFromPesewas(sumPesewas(prices))).toBe(3.6);
    expect(sumPesewas([])).toBe(0);
    expect(formatCedis(timesQuantity(pesewasFromCedis(19.99), 200))).toBe("GH₵3,998.00");
  });

  it.each([
    ["45", 4500],
    ["45.5", 4550],
    ["45.50", 4550],
    ["45.500", 4550],
    ["45.", 4500],
    [".5", 50],
    [" 1,234.50 ", 123450],
    ["GH₵1,234.50", 123450],
    ["GHS 45.00", 4500],
    ["₵ 45", 4500],
    ["99999999.99", maxPesewas],
  ])("reads %j as an amount", (text, pesewas) => {
    expect(parseCedis(text)).toBe(pesewas);
  });

  it.each([
    "",
    ".",
    "GH₵",
    "free",
    "-1",
    "12,50",
    "1,23",
    "1.234",
    "1e3",
    "NaN",
    "Infinity",
    "100000000",
    "4 5",
  ])("does not guess an amount from %j", (text) => {
    expect(parseCedis(text)).toBeNull();
  });

  it("refuses what is no amount of money", () => {
    expect(() => pesewasFromCedis(Number.NaN)).toThrow(RangeError);
    expect(() => pesewasFromCedis(Number.POSITIVE_INFINITY)).toThrow(RangeError);
    expect(() => pesewasFromCedis(1e15)).toThrow(RangeError);
  });

  it("reads back every amount that it writes, and keeps it through the database's numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxPesewas }), (amount) => {
        const pesewas = amount as Pesewas;
        expect(parseCedis(formatCedis(pesewas))).toBe(pesewas);
        expect(parseCedis(formatCediSign(pesewas))).toBe(pesewas);
        expect(pesewasFromCedis(cedisFromPesewas(pesewas))).toBe(pesewas);
      }),
    );
  });
});
