import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BookImportRow, chunkBookImportRows, readBookImportRow } from "./book-import.ts";
import { bookImportFields, detectDelimiter, mapBookImportColumns } from "./book-import-columns.ts";

/** Reads one row with the given cells by heading. */
function readOne(cells: Record<string, string>) {
  const result = readBookImportRow(Object.values(cells), 2, mapBookImportColumns(Object.keys(cells)));
  if (result.row === null) throw new Error(result.problem.message);
  return { row: result.row, hints: result.hints.map((hint) => hint.message) };
}

describe("the headings of an imported table", () => {
  it("are found in any order, case and spelling", () => {
    const mapping = mapBookImportColumns([
      "Qty",
      "Price (GH₵)",
      "BOOK TITLE",
      "ISBN-13",
      "Grade Level",
      "Shelf",
    ]);
    expect(mapping).toEqual({
      columns: { stock_quantity: 0, price: 1, title: 2, isbn: 3, grade_level: 4 },
      ignored: ["Shelf"],
      width: 6,
    });
  });

  it("are the fields' own names as well, so that an export comes back in", () => {
    const { columns, ignored } = mapBookImportColumns(bookImportFields);
    expect(ignored).toEqual([]);
    bookImportFields.forEach((field, place) => {
      expect(columns[field], field).toBe(place);
    });
  });

  it("give the thirteen digits precedence over the ten where a table has both", () => {
    expect(mapBookImportColumns(["isbn10", "isbn13", "title"]).columns).toEqual({ isbn: 1, title: 2 });
  });

  it("name authors, which have no field, but not the ratings, which readers give", () => {
    const mapping = mapBookImportColumns(["isbn", "title", "authors", "average_rating", "ratings_count"]);
    expect(mapping.columns).toEqual({ isbn: 0, title: 1, authors: 2 });
    expect(mapping.ignored).toEqual(["average_rating", "ratings_count"]);
  });

  it.each([
    ["title,price", ","],
    ["title;price;isbn", ";"],
    ["title\tprice\tisbn", "\t"],
    ['"title, long, and; odd";price;isbn', ";"],
    ["title", ","],
  ])("of %j are separated by %j", (line, delimiter) => {
    expect(detectDelimiter(line)).toBe(delimiter);
  });
});

describe("an imported row", () => {
  it("is read into what the books table holds", () => {
    const cells = {
      title: "  Primary Maths 4 ",
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

  it("says nothing of what the table has no column for, so that a book keeps its own", () => {
    expect(readOne({ title: "A", price: "" }).row).toEqual({ line: 2, title: "A", price: null });
  });

  it.each(["", " ", "N/A", "n/a", "NULL", "None", "NaN", "-", "#N/A"])(
    "takes %j for an empty cell",
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

  it("may be called by a word that elsewhere means nothing", () => {
    expect(readOne({ title: "None" }).row.title).toBe("None");
  });

  it.each(["cheap", "-1", "12,50"])(
    "leaves the price %j as it stands, for the database to refuse",
    (price) => {
      expect(readOne({ title: "A", price }).row.price).toBe(price);
    },
  );

  it.each(["1.5", "ten", "1e3", "1,20", "-3"])(
    "leaves the stock %j as it stands, for the database",
    (stock) => {
      expect(readOne({ title: "A", stock }).row.stock_quantity).toBe(stock);
    },
  );

  it("takes whole numbers as spreadsheets write them", () => {
    expect(readOne({ title: "A", stock: "12.0", price: "45.0", isbn: "9780306406157.0" }).row).toMatchObject({
      stock_quantity: 12,
      price: 45,
      isbn: "9780306406157",
    });
  });

  it("is refused when its cells have shifted", () => {
    const mapping = mapBookImportColumns(["title", "price"]);
    expect(readBookImportRow(["Tom", " Dick", "45"], 7, mapping)).toEqual({
      row: null,
      problem: { line: 7, message: "The row has more cells than there are headings." },
    });
    expect(readBookImportRow(["Tom", "45", "", " "], 8, mapping).row).toEqual({
      line: 8,
      title: "Tom",
      price: 45,
    });
    expect(readBookImportRow(["Harry"], 9, mapping).row).toEqual({ line: 9, title: "Harry", price: null });
  });

  it("gets back the zeros that its ISBN-10 has lost", () => {
    expect(readOne({ title: "A", isbn: "439023483" }).row.isbn).toBe("0439023483");
    expect(readOne({ title: "A", isbn: "7442912" }).row.isbn).toBe("0007442912");
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

  it("loses an ISBN that a spreadsheet has rounded, because many books would share it", () => {
    expect(readOne({ title: "A", isbn: "9.78031E+12" })).toEqual({
      row: { line: 2, title: "A", isbn: null },
      hints: ["The ISBN 9.78031E+12 has lost its digits in a spreadsheet and is left empty."],
    });
  });

  it("has its authors in front of the description", () => {
    expect(readOne({ title: "A", authors: "Ama Ata,  Kofi A." }).row.description).toBe("By Ama Ata, Kofi A.");
    expect(readOne({ title: "A", author: "Ama Ata", blurb: "A story." }).row.description).toBe(
      "By Ama Ata. A story.",
    );
    expect(readOne({ title: "A", author: "", blurb: "A story." }).row.description).toBe("A story.");
  });

  it("hints at a price of 0 and at a picture that browsers will not be given", () => {
    expect(readOne({ title: "A", price: "0", image: "http://covers.example/1.jpg" }).hints).toEqual([
      "The price is 0.",
      "The image address is not an https address and will not be shown.",
    ]);
  });

  it("is cut where it is far too long, so that it still fits in a request and is refused by the database", () => {
    const { row } = readOne({ title: "A", description: "😀".repeat(50_000) });
    expect([...String(row.description)].length).toBe(10_001);
  });

  it("comes back from an export whose formulas were neutralised", () => {
    expect(readOne({ title: "'=1+1" }).row.title).toBe("=1+1");
    expect(readOne({ title: "'Tis the Season" }).row.title).toBe("'Tis the Season");
  });

  it("never holds what a database refuses as text, whatever the cells hold", () => {
    const mapping = mapBookImportColumns(bookImportFields);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 13 }), (cells) => {
        const { row } = readBookImportRow(cells, 2, mapping);
        expect(row).not.toBeNull();
        for (const value of Object.values(row ?? {})) {
          if (typeof value !== "string") continue;
          expect(value.isWellFormed()).toBe(true);
          expect(value).not.toContain("\u0000");
        }
      }),
    );
  });
});

describe("rows on their way to the database", () => {
  const rowsOf = (count: number, description: string): BookImportRow[] =>
    Array.from({ length: count }, (_, place) => ({ line: place + 2, title: `Book ${place}`, description }));

  async function chunksOf(rows: BookImportRow[]) {
    const chunks: BookImportRow[][] = [];
    for await (const chunk of chunkBookImportRows(rows)) chunks.push(chunk);
    return chunks;
  }

  it("go in groups that are small in number and in bytes, none lost and in order", async () => {
    for (const rows of [
      rowsOf(1234, "short"),
      rowsOf(120, "ɛ".repeat(4000)),
      rowsOf(3, "x".repeat(200_000)),
    ]) {
      const chunks = await chunksOf(rows);
      expect(chunks.flat()).toEqual(rows);
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(500);
        if (chunk.length > 1) expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(100_001);
      }
    }
  });

  it("go in no group at all when there are none", async () => {
    expect(await chunksOf([])).toEqual([]);
  });
});
