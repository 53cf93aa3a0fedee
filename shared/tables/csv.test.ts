import { runInNewContext } from "node:vm";
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

  it.each([
    ["007", "1E5", "1,000", "1 000.5", ".5", "50 %", "$5", "GH₵5", "(5)", "5-", "-5"],
    ["9-11", "01/02", "12-3-26", "2026-11-30 10:30", "1 1/2", "10:30 AM", "5 pm"],
    ["May 2024", "12 March", "MARCH1", "Monday, March 5, 2026", "True", "FALSE"],
  ])("marks what comes back and a spreadsheet would read as a number, a date or a time", (...texts) => {
    for (const text of texts) {
      expect(csvLine([{ literal: text }]).replaceAll('"', "")).toBe(`'${text}\r\n`);
      if (text !== "-5") expect(csvLine([text]).replaceAll('"', "")).toBe(`${text}\r\n`);
    }
  });

  it.each([
    "978-0-19-831234-5",
    "0-19-831234-X",
    "0b5c1f1e-0000-4000-8000-00000000000a",
    "600-1234567890",
    "2nd Edition",
    "Grade 4",
    "March",
    "AB-0012",
    "O'Brien",
    "",
  ])("leaves %j, which a spreadsheet takes for a text, as it is", (text) => {
    expect(csvLine([{ literal: text }])).toBe(`${text}\r\n`);
  });

  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(..."=+-@＝＋－＠;,|'\"\t\r\n 05/:."),
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

  it("is read back unchanged where a number goes on in another line", () => {
    for (const literal of ["5\r\n-", "/\r\n-5", "007\n=1", "9-11\t+2"])
      expect(
        rearmFormulas(
          (parse(csvLine(["", { literal }]), { record_delimiter: "\r\n" })[0] as string[])[1] ?? "",
        ),
      ).toBe(literal);
  });

  it("is written at once, however often a month is repeated in a customer's text", () => {
    const text = `'1${"June".repeat(100)}!`;
    const write = () => csvLine([text, { literal: text }]);
    expect(runInNewContext("write()", { write }, { timeout: 5_000 })).toBe(`${text},${text}\r\n`);
  });

  it("is read back unchanged, whatever the cells contain", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 2, maxLength: 3 }), fc.boolean(), (texts, comeBack) => {
        const cells = comeBack ? texts.map((literal) => ({ literal })) : texts;
        const [read] = parse(csvLine(cells), { record_delimiter: "\r\n" }) as [string[]];
        expect(read.map(rearmFormulas)).toEqual(texts);
      }),
      { numRuns: 2_000 },
    );
  });
});
