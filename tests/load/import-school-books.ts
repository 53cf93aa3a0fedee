import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { csvLine } from "#shared/tables/csv.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import type { EmbeddedShop } from "#tests/support/embedded-shop.ts";
import { importBookFile } from "../../scripts/import-book-file.ts";
import { schoolBooks } from "./school-books.ts";

const columns = ["isbn", "title", "authors", "publisher", "subject", "course", "price"] as const;

/** Adds the 10,000 school books to a shop as its owner does: by one import, after which no one tidies the database up. */
export async function importSchoolBooks(shop: EmbeddedShop): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "school-books-"));
  try {
    const path = join(folder, "books.csv");
    const lines = schoolBooks().map((book) => csvLine(columns.map((name) => book[name])));
    await writeFile(path, [csvLine(columns), ...lines].join(""));
    const choices = { price: pesewasFromCedis(50), stock: 1_000, publisher: null, setsStock: false };
    const options = { choices, dryRun: false, skipRefused: false };
    await importBookFile(shop.owner, path, options, { line: () => {}, progress: () => {} });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
