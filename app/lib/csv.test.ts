import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "./csv.ts";

describe("a line of a table for spreadsheets", () => {
  it("separates by commas and ends with CRLF; nothing is an empty cell", () => {
    expect(csvLine(["Title", 45.5, null, undefined, 0, ""])).toBe("Title,45.5,,,0,\r\n");
  });

  it("puts cells with commas, quotation marks or line ends in quotation marks", () => {
    expect(csvLine(['A "small", book', "two\nlines", "ɛ and ₵"])).toBe(
      '"A ""small"", book","two\nlines",ɛ and ₵\r\n',
    );
  });

  it.each(["=1+1", "+233201234567", "-2", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])(
    "makes %j plain text, not a formula",
    (text) => {
      const [[cell]] = parse(csvLine([text])) as [[string]];
      expect(cell).toBe(`'${text}`);
    },
  );

  it("leaves numbers alone, also those below 0", () => {
    expect(csvLine([-2])).toBe("-2\r\n");
  });

  it("is read back as it was, whatever the cells hold", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 3 }), (cells) => {
        const [read] = parse(csvLine(cells), { record_delimiter: "\r\n" }) as [string[]];
        expect(read.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n])/, ""))).toEqual(
          cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n])/, "")),
        );
      }),
    );
  });
});
