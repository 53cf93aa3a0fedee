import { expect, test } from "vitest";
import { labelStocks, labelsPerPage, placeLabels, positionOf } from "./label-sheets.ts";

test.each(Object.entries(labelStocks))("all labels of %s are on the page and do not overlap", (_, stock) => {
  const all = Array.from({ length: labelsPerPage(stock) }, (_, at) => positionOf(stock, at));
  for (const { left, top } of all) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(left + stock.width).toBeLessThanOrEqual(stock.page.width + 1e-9);
    expect(top + stock.height).toBeLessThanOrEqual(stock.page.height + 1e-9);
  }
  expect(stock.pitch).toBeGreaterThanOrEqual(stock.width);
  expect(new Set(all.map(({ left, top }) => `${left} ${top}`)).size).toBe(all.length);
});

test("a sheet of 21 starts 15.15 mm from the top and 7.21 mm from the left", () => {
  const { left, top } = positionOf(labelStocks["a4-21"], 0);
  expect([left, top].map((mm) => mm.toFixed(2))).toEqual(["7.21", "15.15"]);
});

test("labels start at the first free one of a used sheet and continue on the next sheet", () => {
  const labels = Array.from({ length: 6 }, (_, at) => at);
  const pages = placeLabels(labels, labelStocks["a4-24"], 20);
  expect(pages.map((page) => page.map(({ label }) => label))).toEqual([[0, 1, 2, 3, 4], [5]]);
  expect(pages[0]?.[0]).toEqual({ label: 0, ...positionOf(labelStocks["a4-24"], 19) });
  expect(pages[1]?.[0]).toEqual({ label: 5, ...positionOf(labelStocks["a4-24"], 0) });
});

test.each([0, -3, 99])("the first free label %d is moved onto the sheet", (start) => {
  const [[placed] = []] = placeLabels(["only"], labelStocks["a4-24"], start);
  expect(placed).toEqual({ label: "only", ...positionOf(labelStocks["a4-24"], start < 1 ? 0 : 23) });
});

test("a roll has a page for each label", () => {
  expect(placeLabels(["a", "b", "c"], labelStocks["roll-50"], 1)).toHaveLength(3);
});
