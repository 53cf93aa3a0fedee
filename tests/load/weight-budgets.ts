import { kilobytes } from "./report.ts";

/** What a visitor's first load of a page takes: bytes by kind, those of the pictures on the first screen, and its layout shift. */
export type Weight = Record<
  "html" | "script" | "style" | "font" | "image" | "seen" | "headers" | "shift",
  number
>;

const budgets = [
  { of: "html", name: "HTML", most: 16_000 },
  { of: "script", name: "JavaScript", most: 124_000 },
  { of: "style", name: "CSS", most: 14_000 },
  { of: "seen", name: "pictures seen", most: 60_000 },
] as const;

export const budgetsInWords = `${budgets.map(({ name, most }) => `${name} ${most / 1_000} kB`).join(", ")}, layout shift 0`;

/** Each budget that a page does not keep, with what was measured. */
export function missedBudgets(page: string, weight: Weight): string[] {
  const over = budgets
    .filter(({ of, most }) => weight[of] > most)
    .map(({ of, name, most }) => `${name} ${kilobytes(weight[of])}, budget ${kilobytes(most)}`);
  if (weight.shift > 0) over.push(`layout shift ${weight.shift.toFixed(4)}, budget 0`);
  return over.map((text) => `${page}: ${text}`);
}
