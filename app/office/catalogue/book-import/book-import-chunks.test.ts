import { describe, expect, it } from "vitest";
import { type BookImportRow, chunkBookImportRows } from "./book-import.ts";

describe("rows on their way to the database", () => {
  const rowsOf = (count: number, description: string): BookImportRow[] =>
    Array.from({ length: count }, (_, place) => ({
      line: place + 2,
      cells: [],
      problems: [],
      title: `Book ${place}`,
      description,
    }));

  async function chunksOf(rows: BookImportRow[]) {
    const chunks: BookImportRow[][] = [];
    for await (const chunk of chunkBookImportRows(rows)) chunks.push(chunk);
    return chunks;
  }

  it("are grouped within limits of rows and bytes, in order and without loss", async () => {
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

  it("are in groups of at most 500, none of them empty", async () => {
    const sizes = async (rows: BookImportRow[]) => (await chunksOf(rows)).map((chunk) => chunk.length);
    expect(await sizes(rowsOf(1_000, "short"))).toEqual([500, 500]);
    expect(await sizes(rowsOf(501, "short"))).toEqual([500, 1]);
    expect(await sizes(rowsOf(3, "x".repeat(200_000)))).toEqual([1, 1, 1]);
  });

  it("are grouped up to 100,000 bytes, counting a comma after each", async () => {
    const bytes = (row: BookImportRow) => Buffer.byteLength(JSON.stringify(row)) + 1;
    const [first, second] = rowsOf(2, "ɛ") as [BookImportRow, BookImportRow];
    const fill = 100_000 - bytes(first) - bytes(second);
    const full = { ...second, description: `ɛ${"x".repeat(fill)}` };
    expect(bytes(first) + bytes(full)).toBe(100_000);
    expect(await chunksOf([first, full])).toEqual([[first, full]]);
    const over = { ...full, description: `${full.description}x` };
    expect(await chunksOf([first, over])).toEqual([[first], [over]]);
  });

  it("make no group when there are none", async () => {
    expect(await chunksOf([])).toEqual([]);
  });
});
