import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBookTable, type TableRow } from "#app/office/catalogue/book-import/book-table.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";
import { onixMessage, onixProduct } from "#tests/support/onix-message.ts";
import { zip } from "#tests/support/zip.ts";
import { openBookFile, openLeftOutFile } from "./book-file.ts";
import { CommandError } from "./command.ts";

const savedBy = (name: string) => join(import.meta.dirname, "../tests/support/workbooks", name);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "book-file-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function read(content: string | Buffer, sheet?: string) {
  const path = join(folder, "books.csv");
  writeFileSync(path, content);
  const file = await openBookFile(path, sheet);
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
    await expect(openBookFile(join(folder, "missing.csv"))).rejects.toThrow("cannot be read (ENOENT).");
  });
});

describe("an Excel workbook", () => {
  const row = (...cells: (string | number)[]) =>
    `<row>${cells.map((cell) => (typeof cell === "number" ? `<c><v>${cell}</v></c>` : `<c t="str"><v>${cell}</v></c>`)).join("")}</row>`;
  const books = row("Title", "Publisher", "ISBN") + row("Ɛna", "Ɔba Press", 9781444960969);

  it("is read as a CSV file is, with its ISBNs as digits", async () => {
    const file = await read(await makeWorkbook({ Books: books }));
    expect(file).toMatchObject({ headings: ["Title", "Publisher", "ISBN"], rowCount: 1, lastLine: 2 });
    expect(file.rows).toEqual([{ line: 2, cells: ["Ɛna", "Ɔba Press", "9781444960969"] }]);
    expect([...file.publishers]).toEqual([["Ɔba Press", 1]]);
  });

  it("with several sheets is read once one is named, and each is a file of its own to continue", async () => {
    const workbook = await makeWorkbook({ Books: books, Others: row("Title") + row("Other") });
    await expect(read(workbook)).rejects.toThrow(
      "The workbook has several sheets. Name one with --sheet: Books, Others.",
    );
    const [some, others] = [await read(workbook, "Books"), await read(workbook, "Others")];
    expect(others.rows).toEqual([{ line: 2, cells: ["Other"] }]);
    expect(some.fingerprint).not.toBe(others.fingerprint);
    await expect(read(workbook, "Prices")).rejects.toThrow(CommandError);
  });

  it("is refused in one line when it is an old one, and when nothing can be read in it", async () => {
    await expect(read(readFileSync(savedBy("libreoffice.xls")))).rejects.toThrow(
      "This is an old Excel workbook (.xls).",
    );
    await expect(read("PK\u0003\u0004…")).rejects.toThrow(CommandError);
  });
});

describe("an ONIX message", () => {
  const book = (title: string) => onixProduct({ isbn: "9780306406157", title, price: "9.50" });

  it("is read twice, each time from its beginning, and asks for the currency of prices that have none", async () => {
    const message = onixMessage(
      Array.from({ length: 600 }, (_, at) => book(`Title ${at} ${"x".repeat(2_000)}`)),
    );
    const file = await read(message);
    expect(message.length).toBeGreaterThan(1_500_000);
    expect(file).toMatchObject({ rowCount: 600, lastLine: file.rows.at(-1)?.line, encoding: "UTF-8" });
    expect(new Set(file.rows.map(({ line }) => line)).size).toBe(600);
    expect([...file.publishers]).toEqual([["Collins", 600]]);
    expect([file.plan.currencies.base, [...file.plan.currencies.foreign("GHS")]]).toEqual([
      "GHS",
      [["GBP", 600]],
    ]);
    const bare = await read(message.replace(/<CurrencyCode>GBP<\/CurrencyCode>/, ""));
    expect([file.headings[5], bare.headings[5], bare.plan.currencies.base]).toEqual([
      "Price",
      "Price (?)",
      null,
    ]);
  });

  it("in a ZIP archive is read like the message itself", async () => {
    const message = onixMessage([book("Atlas"), book("Globe")]);
    const packed = await zip({
      "list/Message.XML": message,
      "__MACOSX/list/._Message.XML": "",
      "list/._Message.XML": "",
      "read me.txt": "",
    });
    const [file, plain] = [await read(Buffer.from(packed)), await read(message)];
    expect(file.rows).toEqual(plain.rows);
    expect(file).toMatchObject({ rowCount: 2, fingerprint: plain.fingerprint });
    const cut = await zip({ "message.xml": message.slice(0, -20) });
    await expect(read(Buffer.from(cut))).rejects.toThrow(/ends in the middle/);
    const two = await zip({ "one.xml": message, "two.xml": message });
    await expect(read(Buffer.from(two))).rejects.toThrow(/Unzip it first/);
    await expect(read(Buffer.from(packed.subarray(0, -9)))).rejects.toThrow(/damaged or incomplete/);
    const other = await zip({ "META-INF/container.xml": "<container/>", "book.opf": "" });
    await expect(read(Buffer.from(other))).rejects.toThrow(/Unzip it first/);
  });

  it("that is not whole is refused in one line", async () => {
    await expect(read(onixMessage([book("Atlas")]).slice(0, -20))).rejects.toThrow(CommandError);
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
      const file = await openLeftOutFile(path, "refused", ["title"]);
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
