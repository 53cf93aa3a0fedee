import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBookFile, writeRowsLeftOut } from "./book-file.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "book-file-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function read(content: string) {
  const path = join(folder, "books.csv");
  writeFileSync(path, content);
  return readBookFile(path);
}

describe("a supplier's file", () => {
  it("is read as the back office reads it", async () => {
    expect(await read("sep=;\ntitle;price\nƐna, Ɔba;45\n")).toEqual({
      encoding: "UTF-8",
      headings: ["title", "price"],
      rows: [{ line: 3, cells: ["Ɛna, Ɔba", "45"] }],
    });
  });

  it("is refused in one line when it is empty or missing", async () => {
    await expect(read("")).rejects.toThrow("The file is empty.");
    await expect(readBookFile(join(folder, "missing.csv"))).rejects.toThrow("cannot be read (ENOENT).");
  });
});

describe("the rows left out", () => {
  it("are written beside their file without overwriting another", async () => {
    const path = join(folder, "list.2026.csv");
    const first = await writeRowsLeftOut(path, "one");
    const second = await writeRowsLeftOut(first, "two");
    expect(first).toBe(join(folder, "list.2026-to-repair.csv"));
    expect(second).toBe(join(folder, "list.2026-to-repair-2.csv"));
    expect([first, second].map((file) => readFileSync(file, "utf8"))).toEqual(["one", "two"]);
  });
});
