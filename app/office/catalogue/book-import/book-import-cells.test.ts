import { describe, expect, it } from "vitest";
import {
  decodeEntities,
  hasWrongCheckDigit,
  isSpreadsheetError,
  readDigitalByCell,
  readIsbnCell,
  readKindCell,
  readStockCell,
} from "./book-import-cells.ts";

describe("a stock level as suppliers write it", () => {
  it.each([
    ["12", 12],
    ["12.0", 12],
    ["12,0", 12],
    ["1,200", 1200],
    ["1 200", 1200],
    ["12 copies", 12],
    ["12pcs", 12],
    ["1 unit", 1],
    ["12 units.", 12],
  ])("%j is %d", (text, stock) => {
    expect(readStockCell(text)).toEqual({ value: stock });
  });

  it.each(["1.200", "1.000"])("%j is refused, because it can be read in two ways", (text) => {
    expect(readStockCell(text)).toHaveProperty("problem");
  });

  it.each(["1.5", "ten", "-3", "10+", "pcs 12", "12 pcs or so"])(
    "%j is not one and stays unchanged",
    (text) => {
      expect(readStockCell(text)).toEqual({ value: text });
    },
  );
});

describe("an ISBN as spreadsheets leave it", () => {
  it.each(["9.78E+12", "9,78031E+12", "9.78031 e12", "1E5", "978E10", "9.78e 12"])(
    "%j has lost its digits",
    (text) => {
      expect(readIsbnCell(text)).toEqual({ problem: expect.stringContaining("has lost its digits") });
    },
  );

  it.each(["12/03/2026", "12-03-26", "2026-03-12", "2026-03-12 00:00:00", "12-Mar-26", "Mar-78", "12 March"])(
    "%j is a date",
    (text) => {
      expect(readIsbnCell(text)).toEqual({ problem: expect.stringContaining("is a date") });
    },
  );

  it.each(["9780000000000", "978030000000.0", "9780310000000", "9780306400000"])("%j was rounded", (text) => {
    const reading = readIsbnCell(text);
    if (text.length === 13) expect(reading).toEqual({ problem: expect.stringContaining("was rounded") });
  });

  it.each([
    ["978-0-306-40615-7", "9780306406157"],
    ["ISBN: 0-306-40615-2", "9780306406157"],
    ["9780306406157.0", "9780306406157"],
    ["439023483", "9780439023481"],
    ["STA-0001", "STA-0001"],
    ["MAY-0001-X", "MAY-0001-X"],
    ["No 9.78E+12", "No 9.78E+12"],
    ["9.78E+12 B", "9.78E+12 B"],
    ["439023483.00", "9780439023481"],
    ["978.0306406157", "9780306406157"],
    ["9780306406560", "9780306406560"],
    ["9780000001", "9780000001"],
    ["1978000000", "1978000000"],
    ["19780306400000", "19780306400000"],
    ["97803064000001", "97803064000001"],
  ])("%j is %j", (text, isbn) => {
    expect(readIsbnCell(text)).toEqual({ value: isbn });
  });
});

describe("an ISBN-13 that ends in zeros", () => {
  it("counts as rounded with six of them, even if its check digit is right", () => {
    expect(readIsbnCell("9784000000000")).toEqual({ problem: expect.stringContaining("was rounded") });
    expect(readIsbnCell("978000000")).toEqual({ problem: expect.stringContaining("was rounded") });
  });

  it("counts as rounded with five of them if its check digit is wrong", () => {
    expect(readIsbnCell("9780306400000")).toEqual({ problem: expect.stringContaining("was rounded") });
    expect(readIsbnCell("9780306100000")).toEqual({ value: "9780306100000" });
  });
});

describe("a check digit", () => {
  it.each(["9780306406158", "0306406153", "030640615", "12345678", "978030640615X"])(
    "of %j is wrong",
    (isbn) => {
      expect(hasWrongCheckDigit(isbn)).toBe(true);
    },
  );

  it.each(["9780306406157", "0306406152", "1234567", "97803064061571", "STA12345678", "12345678STA"])(
    "of %j is right, or not present",
    (isbn) => {
      expect(hasWrongCheckDigit(isbn)).toBe(false);
    },
  );
});

describe("a spreadsheet's error", () => {
  const errors = ["#REF!", "#ref", "#VALUE!", "#VALUE", "#NAME?", "#NAME", "#DIV/0!", "#DIV/0"];
  it.each([...errors, "#NUM!", "#NUM", "#NULL!", "#NULL", "##", "######"])("is %j", (text) => {
    expect(isSpreadsheetError(text)).toBe(true);
  });

  it.each(["#", "#1 Atlas", "No #REF!", "#REF! 2", "REF!"])("is not %j", (text) => {
    expect(isSpreadsheetError(text)).toBe(false);
  });
});

describe("a text copied from a web page", () => {
  it.each([
    ["Schofield &amp; Sims", "Schofield & Sims"],
    ["Pupil&#39;s Book", "Pupil's Book"],
    ["Pupil&amp;#39;s &#x201C;Book&#x201d;", "Pupil's “Book”"],
    ["Caf&eacute;", "Café"],
    ["R&D; AT&T; &#0; &#xD800; &unknown;", "R&D; AT&T; &#0; &#xD800; &unknown;"],
    ["Fish & Chips", "Fish & Chips"],
    ["&frac12; &AMP; &Eacute;cole &EURO;", "½ & École &EURO;"],
    ["&#31;&#32;&#x20;", "&#31;  "],
    ["&#x10FFFF;&#x110000;", "\u{10FFFF}&#x110000;"],
    ["&#57343;&#55296;&#xE000;", "&#57343;&#55296;\uE000"],
    ["&amp;amp;amp;", "&"],
    ["&amp;amp;amp;amp;", "&amp;"],
  ])("%j is %j", (text, expected) => {
    expect(decodeEntities(text)).toBe(expected);
  });
});

describe("a kind as people write it", () => {
  it.each([
    ["Book", "book"],
    ["TEXTBOOKS", "book"],
    ["Paperback", "book"],
    ["exercise book", "book"],
    ["digital", "digital"],
    ["E-Book", "digital"],
    ["ebooks", "digital"],
    ["Licence code", "digital"],
    ["license", "digital"],
    ["Stationery", "stationery"],
    ["stationary", "stationery"],
    [" Stationery items ", "stationery"],
  ])("%j is %s", (text, value) => {
    expect(readKindCell(text)).toEqual({ value });
  });

  it.each(["toy", "booklet of stamps", "digitally", "0"])("%j is refused with a message", (text) => {
    expect(readKindCell(text)).toEqual({
      problem: `The kind ${text} is not one of Book, Digital, Stationery.`,
    });
  });

  it.each([
    ["Files", "file"],
    ["PDF", "file"],
    ["download", "file"],
    ["Licence codes", "code"],
    ["access code", "code"],
    ["keys", "code"],
  ])("a digital title delivered as %j is delivered as %s", (text, value) => {
    expect(readDigitalByCell(text)).toEqual({ value });
  });

  it("an unknown way of digital delivery is refused with a message", () => {
    expect(readDigitalByCell("by post")).toEqual({
      problem: "A digital title is delivered as Files or Licence codes, not as by post.",
    });
  });
});
