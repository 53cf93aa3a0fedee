import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileRow, readBookFile } from "./book-file.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "book-file-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function rowsOf(content: string | Buffer): Promise<FileRow[]> {
  const path = join(folder, "books.csv");
  writeFileSync(path, content);
  const rows: FileRow[] = [];
  for await (const row of readBookFile(path)) rows.push(row);
  return rows;
}

describe("a supplier's file", () => {
  it("is read row by row, each with the line on which it begins", async () => {
    const content = 'title,price\n\n"Two\nlines, one book",45\n,\nLast,50\n\n\nReally last,55';
    expect(await rowsOf(content)).toEqual([
      { line: 1, cells: ["title", "price"] },
      { line: 3, cells: ["Two\nlines, one book", "45"] },
      { line: 6, cells: ["Last", "50"] },
      { line: 9, cells: ["Really last", "55"] },
    ]);
  });

  it("may have the line ends of Windows, a byte order mark and semicolons", async () => {
    expect(await rowsOf("\uFEFFtitle;price\r\nÀ bientôt;45\r\nƐna, Ɔba;50\r\n")).toEqual([
      { line: 1, cells: ["title", "price"] },
      { line: 2, cells: ["À bientôt", "45"] },
      { line: 3, cells: ["Ɛna, Ɔba", "50"] },
    ]);
  });

  it("may have quotation marks that are only inches", async () => {
    expect(await rowsOf('title,price\nRuler 12" long,45\n')).toMatchObject([
      {},
      { cells: ['Ruler 12" long', "45"] },
    ]);
  });

  it("keeps rows of any width for the reader to judge", async () => {
    expect(await rowsOf("title,price\nA\nB,1,2\n")).toMatchObject([
      {},
      { cells: ["A"] },
      { cells: ["B", "1", "2"] },
    ]);
  });

  it("is refused with the line on which a quotation mark never closes", async () => {
    await expect(rowsOf('title,price\nA,1\n"B,2\nC,3\n')).rejects.toThrow(
      "Line 3: a quotation mark opens in this row and never closes.",
    );
    await expect(rowsOf(`title,price\nA,1\n"B,2\n${"C,3\n".repeat(400_000)}`)).rejects.toThrow(
      "Line 3: a quotation",
    );
  });

  it("is refused when it is not UTF-8, is empty or is not there", async () => {
    await expect(rowsOf(Buffer.from("title\nCaf\xe9\n", "latin1"))).rejects.toThrow("The file is not UTF-8.");
    await expect(rowsOf("")).rejects.toThrow("is empty.");
    await expect(readBookFile(join(folder, "missing.csv")).next()).rejects.toThrow(
      "cannot be read (ENOENT).",
    );
  });
});
