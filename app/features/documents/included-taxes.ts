import type { Tax } from "#shared/owner/document-terms.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";

export type IncludedTaxes = {
  /** The amount before taxes: together they make exactly the total. */
  beforeTax: Pesewas;
  lines: { name: string; percent: number; amount: Pesewas }[];
};

/** The taxes in a total, each rounded to the pesewa; null when there is none. */
export function includedTaxes(total: Pesewas, taxes: readonly Tax[]): IncludedTaxes | null {
  if (taxes.length === 0) return null;
  const gross = 100 + taxes.reduce((sum, { percent }) => sum + percent, 0);
  const lines = taxes.map((tax) => ({
    ...tax,
    amount: Math.round((total * tax.percent) / gross) as Pesewas,
  }));
  const beforeTax = (total - lines.reduce((sum, { amount }) => sum + amount, 0)) as Pesewas;
  return { beforeTax, lines };
}

/** The taxes in a total as an invoice lists them; empty when there is none. */
export function taxFacts(total: Pesewas, taxes: readonly Tax[]): [name: string, amount: string][] {
  const included = includedTaxes(total, taxes);
  if (!included) return [];
  return [
    ["Before tax", formatCedis(included.beforeTax)],
    ...included.lines.map(({ name, percent, amount }): [string, string] => [
      `Including ${name} ${percent}%`,
      formatCedis(amount),
    ]),
  ];
}
