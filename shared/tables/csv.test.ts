import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { csvLine, disarmFormulas, rearmFormulas } from "./csv.ts";

describe("a line of a table for spreadsheets", () => {
  it("separates cells by commas and ends with CRLF; null is an empty cell", () => {
    expect(csvLine(["Title", 45.5, null, undefined, 0, ""])).toBe("Title,45.5,,,0,\r\n");
  });

  it("puts cells with commas, quotation marks or line ends in quotation marks", () => {
    expect(csvLine(['A "small", book', "two\nlines", "ɛ and ₵"])).toBe(
      '"A ""small"", book","two\nlines",ɛ and ₵\r\n',
    );
  });

  it.each(["=1+1", "+233201234567", "-2", "@SUM(A1)", "\tx", "\rx", "\nx"])(
    "makes %j plain text, not a formula",
    (text) => {
      const [[cell]] = parse(csvLine([text])) as [[string]];
      expect(cell).toBe(`'${text}`);
    },
  );

  it("leaves numbers unchanged, even negative ones", () => {
    expect(csvLine([-2])).toBe("-2\r\n");
  });

  it.each([
    ["Ama;=cmd|' /C calc'!A0", "Ama;'=cmd|' /C calc'!A0"],
    ["Ama\t@SUM(A1)", "Ama\t'@SUM(A1)"],
    ["Ama\r\n=1", "Ama\r\n'=1"],
    ["\t=1", "'\t'=1"],
    ["\u00a0=1", "'\u00a0=1"],
    ["\u200b\u2060+1", "'\u200b\u2060+1"],
    ['"=1', "'\"=1"],
    ["＝1", "'＝1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
  ])("puts an apostrophe where another program could start a cell: %j", (text, expected) => {
    expect(disarmFormulas(text)).toBe(expected);
  });

  it.each(["O'Brien", "5-7", "a = b; c", "'quoted'", "name@school.example", "Grade 4, -", "'", "a; "])(
    "leaves %j as it is",
    (text) => {
      expect(disarmFormulas(text)).toBe(text);
    },
  );

  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(..."=+-@＝＋－＠;,|'\"\t\r\n "),
      fc.constantFrom("\r\n", "\u00a0", "\u200b", "\ufeff", "\u2800", "\u3164", "cmd", "a", "\0"),
      fc.string({ unit: "binary", maxLength: 2 }),
    ),
    { maxLength: 12 },
  );
  const hostileText = hostile.map((parts) => parts.join(""));

  const isFormula = (cell: string) =>
    /^[=+\-@＝＋－＠]/.test(cell.replace(/^["\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]+/u, ""));

  it("contains no formula for a spreadsheet", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 2, maxLength: 4 }), (cells) => {
        const read = parse(csvLine(cells), { record_delimiter: "\r\n" }) as string[][];
        expect(read.flat().filter(isFormula)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([";", "\t"])(
    "contains none for a spreadsheet that separates by %j and ignores quotation marks",
    (separator) => {
      fc.assert(
        fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (cells) => {
          const read = csvLine(cells).split(new RegExp(`\r\n|[\r\n${separator}]`));
          expect(read.filter(isFormula)).toEqual([]);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it("is read back unchanged, whatever the cells contain", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 2, maxLength: 3 }), (cells) => {
        const [read] = parse(csvLine(cells), { record_delimiter: "\r\n" }) as [string[]];
        expect(read.map(rearmFormulas)).toEqual(cells);
      }),
      { numRuns: 2_000 },
    );
  });
});
