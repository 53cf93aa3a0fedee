import { expect, test } from "vitest";
import { columnsOf, grainOf, readPeriod, termSpans, yearBefore } from "./period.ts";

const of = (query: string) => readPeriod(new URLSearchParams(query), "2026-11-26");

test.each([
  ["", "month", "2026-11-01", "2026-11-26"],
  ["period=today", "today", "2026-11-26", "2026-11-26"],
  ["period=week", "week", "2026-11-23", "2026-11-26"],
  ["period=last-month", "last-month", "2026-10-01", "2026-10-31"],
  ["period=year", "year", "2026-01-01", "2026-11-26"],
  ["period=12-months", "12-months", "2025-12-01", "2026-11-26"],
  ["period=2026-09-15_2026-12-17", "2026-09-15_2026-12-17", "2026-09-15", "2026-12-17"],
  ["period=2026-02-30_2026-12-17", "month", "2026-11-01", "2026-11-26"],
  ["period=2026-12-17_2026-09-15", "month", "2026-11-01", "2026-11-26"],
  ["period=constructor", "month", "2026-11-01", "2026-11-26"],
])("the URL '%s' means the period %s, from %s to %s", (query, key, from, to) => {
  expect(of(query)).toEqual({ key, from, to });
});

test("a Sunday belongs to the week that began on Monday", () => {
  expect(readPeriod(new URLSearchParams("period=week"), "2026-11-29").from).toBe("2026-11-23");
});

test("the same days a year earlier have the same dates, with 28 February for the 29th", () => {
  expect(yearBefore({ from: "2026-11-23", to: "2026-11-26" })).toEqual({
    from: "2025-11-23",
    to: "2025-11-26",
  });
  expect(yearBefore({ from: "2028-02-29", to: "2028-03-01" }).from).toBe("2027-02-28");
});

test("the first column starts with the period, the others each day, Monday or first of the month", () => {
  expect(columnsOf({ from: "2026-11-26", to: "2026-11-28" }, "day")).toEqual([
    "2026-11-26",
    "2026-11-27",
    "2026-11-28",
  ]);
  expect(columnsOf({ from: "2026-11-26", to: "2026-12-08" }, "week")).toEqual([
    "2026-11-26",
    "2026-11-30",
    "2026-12-07",
  ]);
  expect(columnsOf({ from: "2025-12-31", to: "2026-02-01" }, "month")).toEqual([
    "2025-12-31",
    "2026-01-01",
    "2026-02-01",
  ]);
});

test("the grain depends on the length of the period unless the URL names one that fits", () => {
  const grain = (query: string, from: string, to: string) =>
    grainOf(new URLSearchParams(query), { from, to });
  expect(grain("", "2026-11-01", "2026-11-26")).toBe("day");
  expect(grain("", "2026-09-15", "2026-12-17")).toBe("week");
  expect(grain("", "2024-01-01", "2026-11-26")).toBe("month");
  expect(grain("grain=day", "2026-09-15", "2026-12-17")).toBe("day");
  expect(grain("grain=day", "2016-01-01", "2025-12-17")).toBe("month");
  expect(grain("grain=hour", "2026-11-01", "2026-11-26")).toBe("day");
});

test("a period is divided into its school terms and the days between them, each day once", () => {
  const terms = [
    { name: "Term 2", from: "2027-01-12", to: "2027-04-01" },
    { name: "Term 1", from: "2026-09-15", to: "2026-12-17" },
    { name: "Extra lessons", from: "2026-12-10", to: "2026-12-20" },
  ];
  const spans = (from: string, to: string) =>
    termSpans({ from, to }, terms).map((span) => `${span.from} ${span.to} ${span.name}`);
  expect(spans("2026-08-01", "2027-01-31")).toEqual([
    "2026-08-01 2026-09-14 Between terms",
    "2026-09-15 2026-12-17 Term 1",
    "2026-12-18 2026-12-20 Extra lessons",
    "2026-12-21 2027-01-11 Between terms",
    "2027-01-12 2027-01-31 Term 2",
  ]);
  expect(spans("2026-10-01", "2026-10-01")).toEqual(["2026-10-01 2026-10-01 Term 1"]);
  expect(spans("2025-01-01", "2025-01-02")).toEqual(["2025-01-01 2025-01-02 Between terms"]);
});
