import { describe, expect, it } from "vitest";
import { readBookImportRow } from "./book-import.ts";
import { mapBookImportColumns } from "./book-import-columns.ts";
import { readEditionCell, readRangeCell, withoutMarkup } from "./damaged-cells.ts";

describe("a range of ages that a spreadsheet made a date", () => {
  it.each([
    ["07-Sep", "7-9"],
    ["09-Nov", "9-11"],
    ["Nov-14", "11-14"],
    ["2026-09-07", "7-9"],
    ["2026-06-05 00:00:00", "5-6"],
    ["05/06/2026", "5-6"],
    ["46178", "5-6"],
    ["05-Jun", "5-6"],
  ])("%s was %s", (text, range) => {
    expect(readRangeCell(text, "age range")).toEqual({ value: range });
  });

  it.each(["7-9", "9–11", "11+", "Basic 4", "JHS 1-3", "2026", "5", "March", "Mayfield"])(
    "%s is none",
    (text) => {
      expect(readRangeCell(text, "age range")).toEqual({ value: text });
    },
  );

  it("is asked about where it cannot be a range", () => {
    expect(readRangeCell("05-May", "age range")).toEqual({
      problem: "The age range 05-May is a date, made by a spreadsheet. Write what it was.",
    });
  });
});

describe("an edition", () => {
  it.each(["02-Jan", "01/02/2026", "2026-02-01", "46178"])(
    "that became the date %s is asked about",
    (text) => {
      expect(readEditionCell(text)).toHaveProperty("problem");
    },
  );

  it.each(["3rd", "2nd edition 2024", "2026", "Jan 2026", "March 2024", "2nd (2019)"])(
    "may be %s",
    (text) => {
      expect(readEditionCell(text)).toEqual({ value: text });
    },
  );
});

describe("a text with its HTML", () => {
  it.each([
    [
      "<p>First line</p>\n<ul><li>One & two</li><li>Three</li></ul><br/>End",
      "First line\n• One & two\n• Three\nEnd",
    ],
    ['<b>Bold</b> and <span class="x">plain</span>', "Bold and plain"],
    ["Line<br>next<BR />last", "Line\nnext\nlast"],
    ["a < b and c > d", "a < b and c > d"],
    ["Maths <3 for all", "Maths <3 for all"],
    ["<Title in brackets>", "<Title in brackets>"],
  ])("%s", (html, text) => {
    expect(withoutMarkup(html)).toBe(text);
  });
});

it("a row has the damage of each field mended or named", () => {
  const headings = ["Title", "Age Range", "Grade Level", "Edition", "Description"];
  const cells = ["Tom &amp; <i>Esi</i>", "07-Sep", "05-Jun", "02-Jan", "&lt;p&gt;One&lt;/p&gt;<p>Two</p>"];
  const { row, hints } = readBookImportRow({ line: 2, cells }, mapBookImportColumns(headings));
  expect(row).toMatchObject({
    title: "Tom & Esi",
    age_range: "7-9",
    grade_level: "5-6",
    description: "One\n\nTwo",
    problems: ["The edition 02-Jan is a date, made by a spreadsheet. Write what it was."],
  });
  expect(hints.map(({ message }) => message)).toEqual([
    "The grade level 05-Jun is a date, made by a spreadsheet, and is read as 5-6.",
    "The age range 07-Sep is a date, made by a spreadsheet, and is read as 7-9.",
  ]);
});
