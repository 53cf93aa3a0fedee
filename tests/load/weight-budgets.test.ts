import { expect, test } from "vitest";
import { weightOutcomes } from "./weight-budgets.ts";

const light = {
  html: 14_000,
  script: 124_000,
  style: 14_000,
  font: 90_000,
  image: 90_000,
  seen: 60_000,
  headers: 9_000,
  shift: 0,
};

test("finds nothing missed by a page that weighs as much as its budgets", () => {
  expect(weightOutcomes([{ page: "/", weight: light }]).filter(({ isMissed }) => isMissed)).toEqual([]);
});

test("names the heaviest page of each kind with a budget, and each budget that it misses", () => {
  const heavy = { ...light, html: 14_001, script: 124_100, style: 13_000, shift: 0.01 };
  const pages = [
    { page: "/", weight: light },
    { page: "/shop", weight: heavy },
  ];
  expect(weightOutcomes(pages)).toEqual([
    {
      name: "HTML of the heaviest page (/shop)",
      budget: "at most 14,000 bytes",
      measured: "14,001 bytes",
      isMissed: true,
    },
    {
      name: "JavaScript of the heaviest page (/shop)",
      budget: "at most 124,000 bytes",
      measured: "124,100 bytes",
      isMissed: true,
    },
    {
      name: "CSS of the heaviest page (/)",
      budget: "at most 14,000 bytes",
      measured: "14,000 bytes",
      isMissed: false,
    },
    {
      name: "Pictures on the first screen of the heaviest page (/)",
      budget: "at most 60,000 bytes",
      measured: "60,000 bytes",
      isMissed: false,
    },
    { name: "Layout shift (/shop)", budget: "at most 0", measured: "0.01", isMissed: true },
  ]);
});
