import { expect, it } from "vitest";
import { formatOpenDate, readOpenDate } from "./open-date.ts";

it.each([
  ["2027", "2027"],
  ["2027-01", "2027-01"],
  ["202701", "2027-01"],
  ["01/2027", "2027-01"],
  ["Jan 2027", "2027-01"],
  ["September, 2027", "2027-09"],
  ["2027-01-15", "2027-01-15"],
  ["2027-01-15 00:00:00", "2027-01-15"],
  ["20270115", "2027-01-15"],
  ["15/01/2027", "2027-01-15"],
  ["15.1.2027", "2027-01-15"],
  ["01/15/2027", "2027-01-15"],
  ["05/05/2027", "2027-05-05"],
  ["15 Jan 2027", "2027-01-15"],
  ["15-Jan-27", "2027-01-15"],
  ["15th January 2027", "2027-01-15"],
  ["January 15, 2027", "2027-01-15"],
  // May be two dates, or a day without a year.
  ["05/06/2027", null],
  ["Jan-27", null],
  ["15/01/27", null],
  ["31/02/2027", null],
  ["2027-13", null],
  ["soon", null],
  ["1027", null],
  ["", null],
])("reads the date %s as %s", (text, date) => {
  expect(readOpenDate(text)).toBe(date);
});

it("writes a date with what is known of it", () => {
  expect(["2027", "2027-01", "2027-01-15", null].map(formatOpenDate)).toEqual([
    "2027",
    "January 2027",
    "15 January 2027",
    null,
  ]);
});
