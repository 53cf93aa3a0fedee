import { describe, expect, it } from "vitest";
import { isbnSpellings, otherCodes, severalIsbns } from "#tests/support/code-spellings.ts";
import { fc } from "#tests/support/properties.ts";
import {
  compactIsbn,
  isbn10CheckDigit,
  isbn13CheckDigit,
  isbnKey,
  isbnsIn,
  isIsbn10,
  isIsbn13,
  looksLikeIsbn,
  parseIsbn13,
  printedIsbn,
  restoreIsbn10Zeros,
  writtenIsbn,
} from "./isbn.ts";
import { hyphenatedIsbn } from "./isbn-ranges.ts";

describe("ISBN", () => {
  it.each(isbnSpellings)("reads %j as one book's number, and writes it in one form", (text) => {
    expect(parseIsbn13(text)).toBe("9780306406157");
    expect(isbnKey(text)).toBe("9780306406157");
    expect(writtenIsbn(text)).toBe("9780306406157");
    expect(looksLikeIsbn(text)).toBe(true);
  });

  it.each(["9791034304158", "isbn 0-8044-2957-x"])("reads %j as an ISBN", (text) => {
    expect(parseIsbn13(text)).not.toBeNull();
  });

  it.each(severalIsbns)("reads %j as two ISBNs, which are not one", (text) => {
    expect(isbnsIn(text)).toEqual(["9780306406157", "9780439023481"]);
    expect(parseIsbn13(text)).toBeNull();
  });

  it.each(otherCodes)("reads %j as the code %j, stored as %j", (text, key, written) => {
    expect(isbnKey(text)).toBe(key);
    expect(writtenIsbn(text)).toBe(written);
    expect(isbnsIn(text)).toEqual([]);
  });

  it.each([
    "",
    "9780306406158",
    "0306406153",
    "978030640615",
    "1234567890123",
    "ABC-0001",
    "9.78031E+12",
    // Valid ones inside longer numbers, whose check digits fit.
    ...["19780306400001", "97803064061577", "30306400006", "03064061522", "978ISBN0306406157"],
  ])("does not read %j as an ISBN", (text) => {
    expect(parseIsbn13(text)).toBeNull();
  });

  it("finds every single wrong digit", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^97[89]\d{9}$/),
        fc.integer({ min: 3, max: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (first, index, shift) => {
          const right = first + isbn13CheckDigit(first);
          expect(isIsbn13(right)).toBe(true);
          const wrongDigit = String((Number(right[index]) + shift) % 10);
          expect(isIsbn13(right.slice(0, index) + wrongDigit + right.slice(index + 1))).toBe(false);
        },
      ),
    );
  });

  it("gives an ISBN-10 and its ISBN-13 the same number", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (first) => {
        const isbn10 = first + isbn10CheckDigit(first);
        expect(isIsbn10(isbn10)).toBe(true);
        expect(parseIsbn13(isbn10)).toBe(parseIsbn13(`978${first}${isbn13CheckDigit(`978${first}`)}`));
      }),
    );
  });

  it("restores the leading zeros that a spreadsheet dropped, where the check digit then fits", () => {
    expect(restoreIsbn10Zeros("439023483")).toBe("0439023483");
    expect(restoreIsbn10Zeros("61120081")).toBe("0061120081");
    expect(restoreIsbn10Zeros("7442912")).toBe("0007442912");
    expect(restoreIsbn10Zeros("439023484")).toBeNull();
    expect(restoreIsbn10Zeros("000019")).toBeNull();
    expect(restoreIsbn10Zeros("0439023483")).toBeNull();
  });

  it.each([
    ["9780306406157", "978-0-306-40615-7"],
    ["9780008123451", "978-0-00-812345-1"],
    ["0007442912", "978-0-00-744291-1"],
    ["9781108409926", "978-1-108-40992-6"],
    ["9780198534532", "978-0-19-853453-2"],
    ["9780640000011", "978-0-640-00001-1"],
    ["9789964705084", "978-9964-70-508-4"],
    ["9789988647001", "978-9988-647-00-1"],
  ])("writes %s with its hyphens", (text, written) => {
    const digits = compactIsbn(written);
    expect(isbn13CheckDigit(digits)).toBe(digits[12]);
    expect(hyphenatedIsbn(text)).toBe(written);
  });

  it("leaves other codes unchanged", () => {
    expect(hyphenatedIsbn("9782070408504")).toBe("9782070408504");
    expect(hyphenatedIsbn("9781060000001")).toBe("9781060000001");
    expect(hyphenatedIsbn("AW-0001")).toBe("AW-0001");
  });
});

describe("the ISBN of a line that customers see", () => {
  it("is its digits in one form, however a row has them", () => {
    expect(printedIsbn({ isbn: "978-0-00-812345-6" })).toBe("9780008123456");
    expect(printedIsbn({ isbn: "0-19-853453-1" })).toBe("9780198534532");
  });

  it("is absent for the shop's own codes and for books without one", () => {
    expect(printedIsbn({ isbn: "AB-20261120-001" })).toBeNull();
    expect(printedIsbn({ isbn: null })).toBeNull();
    expect(printedIsbn({ isbn: "6001234567890", kind: "stationery" })).toBeNull();
    for (const isbn of ["0-19-8534-53-9-0-0-0-0", "123456789", "1234567890 or so"])
      expect(printedIsbn({ isbn }), isbn).toBeNull();
  });
});
