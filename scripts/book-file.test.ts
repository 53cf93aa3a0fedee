import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBookTable, type TableRow } from "#app/features/book-import/book-table.ts";
import { openBookFile, openLeftOutFile } from "./book-file.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "book-file-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function read(content: string | Buffer) {
  const path = join(folder, "books.csv");
  writeFileSync(path, content);
  const file = await openBookFile(path);
  const rows: TableRow[] = [];
  for await (const row of file.rows()) rows.push(row);
  return { ...file, rows };
}

describe("a supplier's file", () => {
  it("is read the same way as in the back office", async () => {
    expect(await read("sep=;\ntitle;price\nƐna, Ɔba;45\n")).toMatchObject({
      encoding: "UTF-8",
      headings: ["title", "price"],
      rowCount: 1,
      lastLine: 3,
      rows: [{ line: 3, cells: ["Ɛna, Ɔba", "45"] }],
    });
  });

  it("is refused in one line when it is empty or missing", async () => {
    await expect(read("")).rejects.toThrow("The file is empty.");
    await expect(read("title,price\n")).rejects.toThrow("The file has headings and no rows.");
    await expect(read("PK\u0003\u0004…")).rejects.toThrow("In Excel choose Save As, 'CSV UTF-8'.");
    await expect(openBookFile(join(folder, "missing.csv"))).rejects.toThrow("cannot be read (ENOENT).");
  });
});

describe("a file read in many pieces", () => {
  const lineOf = (at: number) => `"Title ${at}, É\nand ""more""",Publisher ${at % 3},${"x".repeat(300)}`;
  const lines = Array.from({ length: 9_000 }, (_, at) => lineOf(at));
  const text = ["title,publisher,description", ...lines].join("\r\n");

  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-16", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["Windows-1252", Buffer.from(text, "latin1")],
  ] as const)("in %s is read as if it were one piece", async (encoding, bytes) => {
    const whole = readBookTable(bytes);
    const file = await read(bytes);
    expect(bytes.length).toBeGreaterThan(2_500_000);
    expect([file.encoding, whole.encoding]).toEqual([encoding, encoding]);
    expect(file.rows).toEqual(whole.rows);
    expect(file).toMatchObject({ rowCount: 9_000, lastLine: whole.rows.at(-1)?.line });
    expect([...file.publishers.values()]).toEqual([3_000, 3_000, 3_000]);
  });

  it("has a fingerprint of its content", async () => {
    const [one, same, other] = [await read("title\na\n"), await read("title\na\n"), await read("title\nb\n")];
    expect(same.fingerprint).toBe(one.fingerprint);
    expect(other.fingerprint).not.toBe(one.fingerprint);
  });
});

describe("the rows left out", () => {
  it("are written beside their file without overwriting another", async () => {
    const write = async (path: string, title: string) => {
      const file = await openLeftOutFile(path, ["title"]);
      await file.add([{ line: 2, problems: ["The price is missing."], cells: [title] }]);
      await file.close();
      return file.path;
    };
    const first = await write(join(folder, "list.2026.csv"), "one");
    const second = await write(first, "two");
    expect(first).toBe(join(folder, "list.2026-to-repair.csv"));
    expect(second).toBe(join(folder, "list.2026-to-repair-2.csv"));
    const contents = [first, second].map((file) => readFileSync(file, "utf8"));
    expect(contents).toEqual(
      ["one", "two"].map((title) => `\uFEFFLine,Reason,title\r\n2,The price is missing.,${title}\r\n`),
    );
  });
});
