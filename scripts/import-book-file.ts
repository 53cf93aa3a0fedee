import { basename } from "node:path";
import {
  applyBookImport,
  type BookImportCounts,
  type BookImportDefaults,
  type BookImportPlanRow,
  createBookImport,
  listBookImportPlan,
  listCataloguePublishers,
  listRowsLeftOut,
  stageBookImportRows,
  summariseBookImport,
} from "#app/features/books/book-import.queries.ts";
import { type BookImportNote, readBookImportRows } from "#app/features/books/book-import.ts";
import { type BookImportMapping, mapBookImportColumns } from "#app/features/books/book-import-columns.ts";
import type { TableRow } from "#app/features/books/book-table.ts";
import { rowsLeftOutFile } from "#app/features/books/rows-left-out.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { countOf } from "#app/lib/count-of.ts";
import { formatCedis, type Pesewas } from "#app/lib/money.ts";
import { readBookFile, writeRowsLeftOut } from "./book-file.ts";
import { CommandError } from "./command.ts";

export interface ImportOptions {
  defaults: BookImportDefaults;
  /** Shows what would change and changes nothing. */
  dryRun: boolean;
  /** Leaves out rows with problems instead of importing nothing. */
  skipRefused: boolean;
}

/** Where the import reports its progress, in lines for people. */
export interface Reporter {
  line(text: string): void;
  /** How far it is; each call replaces the one before. */
  progress(text: string): void;
}

/** More lines of one kind say nothing new. */
const longestList = 20;

/**
 * Imports a CSV file: staged chunk by chunk, then applied by one call that does all of it or nothing.
 * @returns what was done, or in a dry run what would be
 * @throws CommandError in one line when the file or its rows stop the import; nothing is changed then
 */
export async function importBookFile(
  client: BackendClient,
  path: string,
  options: ImportOptions,
  report: Reporter,
): Promise<BookImportCounts> {
  const table = await readBookFile(path);
  const mapping = mapBookImportColumns(table.headings);
  describeColumns(mapping, table.headings, report);
  if (table.encoding === "Windows-1252") report.line("The file is not UTF-8, so it is read as Windows text.");

  const importId = await createBookImport(client, basename(path), options.defaults, table.headings);
  const hints = await stageRows(client, importId, table.rows, mapping, report);
  const plan = await summariseBookImport(client, importId);
  describeNotes(countOf(hints.length, "note"), hints, report);
  if (plan.refused > 0) await describeLeftOut(client, importId, path, report);

  if (options.dryRun) {
    await describeUpdates(client, importId, plan, report);
    return plan;
  }
  if (plan.refused > 0 && !options.skipRefused) {
    throw new CommandError(
      "Nothing was imported. Correct these rows, or leave them out with --skip-refused.",
    );
  }
  report.progress("applying …");
  return await applyBookImport(client, importId, options);
}

/** Sends the file's rows to the database's staging table; answers notes on how they were read. */
async function stageRows(
  client: BackendClient,
  importId: string,
  rows: readonly TableRow[],
  mapping: BookImportMapping,
  report: Reporter,
): Promise<BookImportNote[]> {
  const publishers = await listCataloguePublishers(client);
  const { hints, chunks } = readBookImportRows(rows, mapping, publishers);
  let staged = 0;
  for await (const chunk of chunks) {
    await stageBookImportRows(client, importId, chunk);
    staged += chunk.length;
    report.progress(`${countOf(staged, "row")} read …`);
  }
  return hints;
}

/** Names the first rows with problems, and writes all of them into a file to repair. */
async function describeLeftOut(
  client: BackendClient,
  importId: string,
  path: string,
  report: Reporter,
): Promise<void> {
  const leftOut = await listRowsLeftOut(client, importId);
  const notes = leftOut.rows.map(({ line, problems }) => ({ line, message: problems.join(" ") }));
  describeNotes(`${countOf(notes.length, "row")} with problems`, notes, report);
  report.line(`All of them, to repair: ${await writeRowsLeftOut(path, rowsLeftOutFile(leftOut))}`);
}

function describeColumns(mapping: BookImportMapping, headings: string[], report: Reporter): void {
  const { columns, ignored } = mapping;
  if (columns.title === undefined) {
    throw new CommandError(`The file has no column for the title. Its headings are: ${headings.join(", ")}`);
  }
  const read = Object.values(columns).map((place) => headings[place]);
  report.line(`Columns read: ${read.join(", ")}`);
  if (ignored.length > 0) report.line(`Columns left out: ${ignored.join(", ")}`);
}

/** The first notes, and how many more there are. */
function describeNotes(heading: string, notes: BookImportNote[], report: Reporter): void {
  if (notes.length === 0) return;
  report.line(`${heading}:`);
  for (const { line, message } of notes.slice(0, longestList)) report.line(`  line ${line}: ${message}`);
  if (notes.length > longestList) report.line(`  … and ${notes.length - longestList} more`);
}

/** The first books that an import would change, with their old and new price and stock. */
async function describeUpdates(
  client: BackendClient,
  importId: string,
  plan: BookImportCounts,
  report: Reporter,
): Promise<void> {
  if (plan.updated === 0) return;
  report.line(`${countOf(plan.updated, "book")} would change:`);
  for (const row of await listBookImportPlan(client, importId, { action: "update", pageSize: longestList })) {
    report.line(`  line ${row.line}: ${row.after.title}: ${describeChange(row)}`);
  }
  if (plan.updated > longestList) report.line(`  … and ${plan.updated - longestList} more`);
}

function describeChange({ before, after }: BookImportPlanRow): string {
  const was: Record<string, unknown> = { ...before };
  const changed = Object.entries(after).filter(([field, value]) => value !== was[field]);
  const words = changed.map(([field]) => {
    if (field === "price") return `price ${cedis(before?.price)} → ${cedis(after.price)}`;
    if (field === "stock_quantity") return `stock ${before?.stock_quantity} → ${after.stock_quantity}`;
    return field.replaceAll("_", " ");
  });
  return words.join(", ");
}

function cedis(price: Pesewas | undefined): string {
  return price === undefined ? "none" : formatCedis(price);
}
