import { describe, expect, it } from "vitest";
import { bookFieldNames } from "#app/features/books/book-fields.ts";
import { noSpellings, publisherSpellings } from "#app/features/publishers/publisher-spelling.ts";
import { NO_RESULT } from "#app/lib/tables/cell-text.ts";
import { fc } from "#tests/support/properties.ts";
import { readBookImportRow } from "./book-import.ts";
import { mapBookImportColumns } from "./book-import-columns.ts";

/** Reads one row with the given cells by heading. */
function readOne(cells: Record<string, string>) {
  const mapping = mapBookImportColumns(Object.keys(cells));
  const result = readBookImportRow({ cells: Object.values(cells), line: 2 }, mapping);
  const { cells: _, problems, ...row } = result.row;
  return { row, ...(problems.length > 0 && { problems }), hints: result.hints.map((hint) => hint.message) };
}

describe("an imported row", () => {
  it("is read into what the books table holds", () => {
    const cells = {
      title: "  Primary Maths 4 ",
      "Written by": 'Ama Ata;  Kofi "K." É., Jr',
      publisher: "Adom Press",
      isbn: "978-0-306-40615-7",
      price: "GH₵1,234.50",
      stock: "1,200",
      course: "Primary",
      subject: "Mathematics",
      "grade level": "Primary 4",
      age: "9-10",
      curriculum: "Ghana",
      edition: "2nd Edition",
      description: "Two lines.\nHere.",
      image_url: "https://covers.example/1.jpg",
    };
    expect(readOne(cells)).toEqual({
      row: {
        line: 2,
        title: "Primary Maths 4",
        authors: 'Ama Ata;  Kofi "K." É., Jr',
        publisher: "Adom Press",
        isbn: "9780306406157",
        price: 1234.5,
        stock_quantity: 1200,
        course: "Primary",
        subject: "Mathematics",
        grade_level: "Primary 4",
        age_range: "9-10",
        curriculum_type: "Ghana",
        edition: "2nd Edition",
        description: "Two lines.\nHere.",
        image_url: "https://covers.example/1.jpg",
      },
      hints: [],
    });
  });

  it("has an unknown kind named once: the word isn't sent, which the database would name again", () => {
    expect(readOne({ title: "A", kind: "Audio" })).toEqual({
      row: { line: 2, title: "A", kind: null },
      problems: ["The kind Audio is not one of Book, Digital, Stationery."],
      hints: [],
    });
  });

  it("omits fields that the table has no column for, so that a book keeps its own", () => {
    expect(readOne({ title: "A", price: "" }).row).toEqual({ line: 2, title: "A", price: null });
  });

  it.each(["", " ", "N/A", "n/a", "NULL", "None", "NaN", "-", "#N/A"])(
    "reads %j as an empty cell",
    (cell) => {
      expect(readOne({ title: "A", isbn: cell, price: cell, stock: cell, description: cell }).row).toEqual({
        line: 2,
        title: "A",
        isbn: null,
        price: null,
        stock_quantity: null,
        description: null,
      });
    },
  );

  it("may have a title that means an empty cell in other columns", () => {
    expect(readOne({ title: "None" }).row.title).toBe("None");
  });

  it.each(["cheap", "-1", "12,50,1", "1,2345.00", "(45.00)", "45.00.00"])(
    "leaves the price %j unchanged, for the database to refuse",
    (price) => {
      expect(readOne({ title: "A", price }).row.price).toBe(price);
    },
  );

  it.each(["1.5", "ten", "1e3", "-3", "1,20"])("leaves the stock %j unchanged, for the database", (stock) => {
    expect(readOne({ title: "A", stock }).row.stock_quantity).toBe(stock);
  });

  it("reads whole numbers as spreadsheets write them", () => {
    expect(readOne({ title: "A", stock: "12.0", price: "45.0", isbn: "9780306406157.0" }).row).toMatchObject({
      stock_quantity: 12,
      price: 45,
      isbn: "9780306406157",
    });
  });

  it("may lack cells at its end, and keeps the cells and the problem that its table gave it", () => {
    const mapping = mapBookImportColumns(["title", "price"]);
    const read = (cells: string[], problem?: string) =>
      readBookImportRow({ cells, line: 7, ...(problem && { problem }) }, mapping).row;
    expect(read(["Harry"])).toEqual({ line: 7, cells: ["Harry"], problems: [], title: "Harry", price: null });
    expect(read(["Tom", " Dick", "45"], "It has shifted.")).toEqual({
      line: 7,
      cells: ["Tom", " Dick", "45"],
      problems: ["It has shifted."],
    });
  });

  it("regains the leading zeros that its ISBN-10 has lost", () => {
    expect(readOne({ title: "A", isbn: "439023483" }).row.isbn).toBe("9780439023481");
    expect(readOne({ title: "A", isbn: "7442912" }).row.isbn).toBe("9780007442911");
  });

  it("keeps an ISBN that is wrong, with a hint, and a shop's own code without one", () => {
    expect(readOne({ title: "A", isbn: "978-0-306-40615-8" })).toEqual({
      row: { line: 2, title: "A", isbn: "978-0-306-40615-8" },
      hints: ["The ISBN 978-0-306-40615-8 has a wrong check digit."],
    });
    expect(readOne({ title: "A", isbn: "STA-0001" })).toEqual({
      row: { line: 2, title: "A", isbn: "STA-0001" },
      hints: [],
    });
  });

  it("explains why an ISBN that a spreadsheet has rounded cannot be right", () => {
    expect(readOne({ title: "A", isbn: "9.78031E+12" })).toEqual({
      row: {
        line: 2,
        title: "A",
        isbn: "9.78031E+12",
        isbn_problem: "The ISBN 9.78031E+12 has lost its digits in a spreadsheet. Copy it from the book.",
      },
      hints: [],
    });
  });

  it("has a hint about a price of 0 and about a picture that will not be shown", () => {
    expect(readOne({ title: "A", price: "0", image: "http://covers.example/1.jpg" }).hints).toEqual([
      "The price is 0.",
      "The image address is not an https address and will not be shown.",
    ]);
  });

  it("is cut when it is far too long, so that it still fits in a request and the database refuses it", () => {
    const { row } = readOne({ title: "A", description: "😀".repeat(50_000) });
    expect([...String(row.description)].length).toBe(10_001);
  });

  it("is refused with the reason where a cell can be read in two ways or is a spreadsheet's error", () => {
    expect(readOne({ title: "A", price: "1.234", stock: "1.000", subject: "#REF!" }).problems).toEqual([
      "The price 1.234 can be read in two ways. Write it as in 1234.50.",
      "The stock 1.000 can be read in two ways. Write it without thousands separators.",
      "The subject is a spreadsheet's error (#REF!).",
    ]);
    expect(readOne({ title: "#NAME?" }).row.title).toBe("");
  });

  it("has its HTML entities decoded", () => {
    expect(readOne({ title: "Maths &amp; You", publisher: "Schofield &#38; Sims" }).row).toMatchObject({
      title: "Maths & You",
      publisher: "Schofield & Sims",
    });
  });

  it("a cell of the shop's own export is read literally", () => {
    const id = "0b5c1f1e-0000-4000-8000-00000000000a";
    const texts = {
      title: " &amp; ",
      publisher: "N/A",
      subject: "#REF!",
      course: "None",
      description: "''=x;'-y",
    };
    expect(readOne({ ID: id, ...texts, isbn: "12-03-26" })).toEqual({
      row: {
        line: 2,
        id,
        ...texts,
        description: "'=x;-y",
        isbn: "12-03-26",
        isbn_problem: "The ISBN 12-03-26 is a date, made by a spreadsheet. Copy it from the book.",
      },
      hints: [],
    });
  });

  it("a row of the shop's own export is cut and cleaned like any other, and may lack cells at its end", () => {
    const mapping = mapBookImportColumns(["id", "title", "description", "subject"]);
    const id = "0b5c1f1e-0000-4000-8000-00000000000a";
    const { row } = readBookImportRow({ cells: [id, "a\0b", "x".repeat(30_000)], line: 2 }, mapping);
    expect(row).toMatchObject({ id, title: "ab", description: "x".repeat(20_002), subject: null });
  });

  it.each([
    [" 0B5C1F1E-0000-4000-8000-00000000000A ", "0b5c1f1e-0000-4000-8000-00000000000a"],
    ["x0b5c1f1e-0000-4000-8000-00000000000a", undefined],
    ["0b5c1f1e-0000-4000-8000-00000000000ax", undefined],
  ])("with %j has the id %s", (cell, id) => {
    expect(readOne({ ID: cell, title: "A" }).row.id).toBe(id);
  });

  it("has no id where its cell is missing", () => {
    const mapping = mapBookImportColumns(["title", "id"]);
    expect(readBookImportRow({ cells: ["A"], line: 2 }, mapping).row).not.toHaveProperty("id");
  });

  it("keeps its cells as the file has them, as far as the database can store them", () => {
    const cells = ["A\0B", " &amp; ", "\uD800", "x".repeat(30_000)];
    const { row } = readBookImportRow({ cells, line: 2 }, mapBookImportColumns(["title"]));
    expect(row.cells).toEqual(["AB", " &amp; ", "\uFFFD", "x".repeat(20_002)]);
    expect(row.title).toBe("A B");
  });

  it("has spaces instead of characters that the database cannot store, and keeps its line breaks and tabs", () => {
    expect(readOne({ title: "A\u0007B\tC\nD" }).row.title).toBe("A B\tC\nD");
  });

  it("reads NA as an empty cell, but not in a title", () => {
    expect(readOne({ title: "NA", subject: "NA", course: "not NA" }).row).toMatchObject({
      title: "NA",
      subject: null,
      course: "not NA",
    });
  });

  it("names the field of a spreadsheet's error by its label", () => {
    expect(readOne({ title: "A", stock: "#REF!" }).problems).toEqual([
      "The stock quantity is a spreadsheet's error (#REF!).",
    ]);
  });

  it("is refused where a column that is imported is a formula without its result, and only there", () => {
    const mapping = mapBookImportColumns(["Title", "Price", "Total"]);
    const problems = (...cells: string[]) =>
      readBookImportRow({ line: 2, cells }, mapping, noSpellings).row.problems;
    expect(problems("Atlas", "45", NO_RESULT)).toEqual([]);
    expect(problems("Atlas", NO_RESULT, "90")).toEqual([
      "The price is a formula whose result is not in the file. Save the file in Excel, and choose it again.",
    ]);
  });

  it("takes a list's imprint for the publisher where the shop has it, and says so", () => {
    const mapping = mapBookImportColumns(["title", "Imprint", "Publisher"]);
    const spellings = publisherSpellings(["Heinemann", "Pearson"], new Map([["Longman Africa", 3]]));
    const read = (imprint: string, publisher: string) => {
      const { row, hints } = readBookImportRow(
        { cells: ["A", imprint, publisher], line: 3 },
        mapping,
        spellings,
      );
      return [row.publisher, hints.length];
    };
    expect(read("HEINEMANN", "Pearson")).toEqual(["Heinemann", 1]);
    expect(read("Longman Africa", "Pearson")).toEqual(["Pearson", 0]);
    expect(read("", "Pearson")).toEqual(["Pearson", 0]);
    expect(mapBookImportColumns(["title", "Imprint"]).columns).toEqual({ title: 0, publisher: 1 });
  });

  it("writes a subtitle behind the title, and an author's surname last where the list has it first", () => {
    const read = (headings: string[], cells: string[]) => {
      const { row } = readBookImportRow({ cells, line: 2 }, mapBookImportColumns(headings), noSpellings);
      return [row.title, row.authors];
    };
    const onix = ["TitleText", "Subtitle", "PersonNameInverted"];
    expect(read(onix, ["Maths 1", "Teacher's Guide", "Mensah, Ama"])).toEqual([
      "Maths 1: Teacher's Guide",
      "Ama Mensah",
    ]);
    expect(read(onix, ["Maths 1 Guide", "Guide", "Mensah, Ama; Addo, Kofi"])).toEqual([
      "Maths 1 Guide",
      "Ama Mensah, Kofi Addo",
    ]);
    expect(read(onix, ["", "Guide", "Mensah, Ama, Addo, Kofi"])).toEqual(["", "Mensah, Ama, Addo, Kofi"]);
    expect(read(onix, ["Maths 1", "", "GES"])).toEqual(["Maths 1", "GES"]);
    expect(read([...onix, "PersonName"], ["Maths 1", "", "Mensah, Ama", "Ama Mensah"])).toEqual([
      "Maths 1",
      "Ama Mensah",
    ]);
    expect(read(["Title", "Authors"], ["Maths 1", "Mensah, Ama"])).toEqual(["Maths 1", "Mensah, Ama"]);
  });

  it("takes the known spelling of a publisher, and says so unless only spaces differ", () => {
    const mapping = mapBookImportColumns(["title", "publisher"]);
    const spellings = publisherSpellings(["Schofield & Sims", "Aki Ola", "Aki-Ola"]);
    const read = (publisher: string) =>
      readBookImportRow({ cells: ["A", publisher], line: 3 }, mapping, spellings);
    expect(read("Schofield  &\tSims")).toMatchObject({ row: { publisher: "Schofield & Sims" }, hints: [] });
    expect(read("SCHOFIELD and SIMS")).toMatchObject({
      row: { publisher: "Schofield & Sims" },
      hints: [{ line: 3, message: "The publisher SCHOFIELD and SIMS is read as Schofield & Sims." }],
    });
    expect(read("Aki-Ola")).toMatchObject({ row: { publisher: "Aki-Ola" }, hints: [] });
  });

  it.each(["see https://covers.example/1.jpg", "https://covers.example/1.jpg, large", "https://"])(
    "has a hint about the picture %j",
    (image) => {
      expect(readOne({ title: "A", image }).hints).toHaveLength(1);
    },
  );

  it("names the newer edition by its ISBN, and none where the cell has something else", () => {
    for (const heading of ["Newer edition", "Replaced by", "New Edition ISBN", "Superseded By"])
      expect(readOne({ title: "A", [heading]: "ISBN 0-306-40615-2" })).toEqual({
        row: { line: 2, title: "A", newer_isbn: "9780306406157" },
        hints: [],
      });
    expect(readOne({ title: "A", "New edition": "yes" })).toEqual({
      row: { line: 2, title: "A", newer_isbn: null },
      hints: ["The newer edition yes is not an ISBN and is left out."],
    });
    const own = { ID: "11111111-1111-4111-8111-111111111111", title: "A", "Newer Edition": "9.78E+12" };
    expect(readOne(own).problems).toEqual(["The newer edition 9.78E+12 is not an ISBN."]);
  });

  it("keeps a supplier's own numbers apart from the shop's ids", () => {
    expect(readOne({ ID: "1042", title: "A" }).row).toEqual({ line: 2, title: "A" });
  });

  it("is read back from an export whose formulas were neutralised", () => {
    expect(readOne({ title: "'=1+1" }).row.title).toBe("=1+1");
    expect(readOne({ title: "'Tis the Season" }).row.title).toBe("'Tis the Season");
  });

  it("never contains text that a database refuses, whatever the cells contain", () => {
    const mapping = mapBookImportColumns(bookFieldNames);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 13 }), (cells) => {
        const { row } = readBookImportRow({ cells, line: 2 }, mapping);
        for (const value of Object.values(row).flat()) {
          if (typeof value !== "string") continue;
          expect(value.isWellFormed()).toBe(true);
          expect(value).not.toContain("\u0000");
        }
      }),
    );
  });
});
