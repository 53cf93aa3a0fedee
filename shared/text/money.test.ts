import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
import {
  cedisFromPesewas,
  formatCediSign,
  formatCedis,
  inPesewas,
  maxPesewas,
  type Pesewas,
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

  it("writes only the cedi sign for the totals of cart and checkout", () => {
    expect(formatCediSign(pesewasFromCedis(1234.5))).toBe("₵1,234.50");
  });

  it("adds what binary fractions get wrong", () => {
    const prices = [0.1, 0.2, 1.1, 2.2].map(pesewasFromCedis);
    expect(cedisFromPesewas(sumPesewas(prices))).toBe(3.6);
    expect(sumPesewas([])).toBe(0);
    expect(formatCedis(timesQuantity(pesewasFromCedis(19.99), 200))).toBe("GH₵3,998.00");
  });

  it("turns a row's amount into pesewas under its name", () => {
    expect(inPesewas({ id: "a", price: 45.5 }, "price")).toEqual({ id: "a", price: 4550 });
  });

  it("refuses anything that is not an amount of money", () => {
    expect(() => pesewasFromCedis(Number.NaN)).toThrow(RangeError("not an amount of money: NaN"));
    expect(() => pesewasFromCedis(Number.POSITIVE_INFINITY)).toThrow(RangeError);
    expect(() => pesewasFromCedis(1e15)).toThrow(RangeError);
  });

  it("keeps every amount through the database's numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxPesewas }), (amount) => {
        expect(pesewasFromCedis(cedisFromPesewas(amount as Pesewas))).toBe(amount);
      }),
    );
  });
});
