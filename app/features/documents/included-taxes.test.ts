import { expect, test } from "vitest";
import { type Pesewas, pesewasFromCedis, sumPesewas } from "#shared/text/money.ts";
import { includedTaxes } from "./included-taxes.ts";

const taxes = [
  { name: "VAT", percent: 15 },
  { name: "NHIL", percent: 2.5 },
];

test("No tax is shown unless the owner names one", () => {
  expect(includedTaxes(pesewasFromCedis(100), [])).toBe(null);
});

test("The taxes in a total are percentages of the price before tax", () => {
  expect(includedTaxes(pesewasFromCedis(117.5), taxes)).toEqual({
    beforeTax: 10_000,
    lines: [
      { name: "VAT", percent: 15, amount: 1_500 },
      { name: "NHIL", percent: 2.5, amount: 250 },
    ],
  });
});

test("Whatever is rounded, price and taxes add up to the total", () => {
  for (let total = 0; total < 500; total += 1) {
    const included = includedTaxes(total as Pesewas, taxes);
    const amounts = included?.lines.map(({ amount }) => amount) ?? [];
    expect(sumPesewas([included?.beforeTax ?? (0 as Pesewas), ...amounts])).toBe(total);
  }
});
