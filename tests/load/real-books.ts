import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pesewasFromCedis } from "#app/lib/money.ts";
import type { EmbeddedShop } from "#tests/support/embedded-shop.ts";
import { openBookFile } from "../../scripts/book-file.ts";
import { importBookFile } from "../../scripts/import-book-file.ts";

export type RealBook = { isbn: string; title: string; authors: string };

/** Lies beside the project, never in it. */
export const realBooksFile = join(import.meta.dirname, "../../../shared/data/goodbooks-10k.csv");

export const hasRealBooks = existsSync(realBooksFile);

/** In the file's order, which is that of their popularity. */
export async function readRealBooks(): Promise<RealBook[]> {
  const books: RealBook[] = [];
  const { rows } = await openBookFile(realBooksFile);
  for await (const { cells } of rows()) {
    const [isbn = "", title = "", authors = ""] = cells;
    books.push({ isbn, title, authors });
  }
  return books;
}

export const benchPublishers = [
  "Collins",
  "CGP",
  "Hodder",
  "Oxford",
  "Pearson",
  "Longman",
  "Macmillan",
  "Skoldo",
];
const subjects = ["Reading", "English", "History", "Science", "Art"];
const courses = ["Primary", "JHS", "SHS", "General"];

/**
 * Adds the real books to a shop as its owner does: by one import, after which no one tidies the database up. What the file has no
 * column for (publisher, subject, course, price) goes round by the row's number.
 */
export async function importRealBooks(shop: EmbeddedShop): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "real-books-"));
  try {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = (await readRealBooks()).map(({ isbn, title, authors }, row) =>
      [
        ...[isbn, title, authors].map(cell),
        benchPublishers[row % benchPublishers.length],
        subjects[row % subjects.length],
        courses[row % courses.length],
        20 + (row % 180),
      ].join(","),
    );
    const path = join(folder, "real-books.csv");
    await writeFile(path, ["isbn,title,authors,publisher,subject,course,price", ...lines].join("\n"));
    const choices = { price: pesewasFromCedis(50), stock: 1_000, publisher: null, setsStock: false };
    const options = { choices, dryRun: false, skipRefused: false };
    await importBookFile(shop.owner, path, options, { line: () => {}, progress: () => {} });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
