import { atMost, type Outcome } from "./report.ts";

/** What a visitor's first load of a page takes: bytes by kind, those of the pictures on the first screen, and its layout shift. */
export type Weight = Record<
  "html" | "script" | "style" | "font" | "image" | "seen" | "headers" | "shift",
  number
>;

/** A page of one catalogue, on a screen. */
type Weighed = { page: string; weight: Weight };

const budgets = [
  { of: "html", name: "HTML", most: 14_000 },
  { of: "script", name: "JavaScript", most: 124_000 },
  { of: "style", name: "CSS", most: 14_000 },
  { of: "seen", name: "Pictures on the first screen", most: 60_000 },
] as const;

const inBytes = (bytes: number) => `${bytes.toLocaleString("en-GB")} bytes`;

/** What the heaviest page weighs of each kind, against its budget. */
export function weightOutcomes(pages: Weighed[]): Outcome[] {
  const heaviest = (kind: keyof Weight) =>
    pages.reduce((most, other) => (other.weight[kind] > most.weight[kind] ? other : most));
  const outcomes = budgets.map(({ of, name, most }) => {
    const { page, weight } = heaviest(of);
    return atMost(`${name} of the heaviest page (${page})`, weight[of], most, inBytes);
  });
  const { page, weight } = heaviest("shift");
  return [...outcomes, atMost(`Layout shift (${page})`, weight.shift, 0)];
}
