import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { startShop } from "#tests/support/shop-server.ts";
import { type GeneratedBook, generateBooks } from "./million-books.ts";
import { connectTo } from "./running-shop.ts";
import { schoolBooks } from "./school-books.ts";
import { expectWork } from "./shop-counts.ts";

/** Fills a new shop and stops it, because the database's memory is fitted to its size only at the next start. */
export async function fillShop(dataDir: string, fill: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  try {
    const sql = await connectTo(dataDir, 1, "owner");
    await fill(sql).finally(() => sql.end());
  } finally {
    await shop.stop();
  }
}

const columns: (keyof GeneratedBook)[] = [
  ..."title,authors,publisher,isbn,description,price,stock_quantity,course,subject,grade_level".split(","),
  ..."average_rating,review_count,created_at".split(","),
] as never;

const cell = (value: string | number | null) =>
  value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (sign) => `\\${sign}`);

/** Rows per COPY: the table's triggers keep what one statement adds in temporary files of limited size. */
const copiedAtOnce = 100_000;

function* copies(books: Iterable<GeneratedBook>): Generator<string[]> {
  let lines: string[] = [];
  for (const book of books) {
    lines.push(`${columns.map((name) => cell(book[name])).join("\t")}\n`);
    if (lines.length < copiedAtOnce) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

/**
 * Fills an empty catalogue with generated books, as large imports and the nightly vacuum after them leave it: indexes are
 * created after all rows, and everything is vacuumed.
 */
export async function fillCatalogue(sql: postgres.Sql, count: number): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index where indrelid = 'public.books'::regclass and not indisunique`;
  await sql.unsafe(`set maintenance_work_mem = '512MB';
    alter table public.books disable trigger user;
    ${indexes.map(({ name }) => `drop index ${name}`).join(";\n")};
    set synchronous_commit = off`);
  for (const lines of copies(generateBooks(count, schoolBooks()))) {
    const copying = await sql.unsafe(`copy public.books (${columns.join(", ")}) from stdin`).writable();
    await pipeline(Readable.from(lines), copying);
  }
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql.unsafe(`alter table public.books enable trigger user;
    select private.keep_book_words(array(select word_text from public.books)), private.count_tallies(), private.count_sales()`);
  await sql.unsafe("vacuum analyze");
  const [books] = await sql<{ rows: number }[]>`select count(*)::int as rows from public.books`;
  expectWork("books generated", books?.rows ?? 0, count);
}
