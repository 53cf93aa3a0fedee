import { basename } from "node:path";
import {
  applyBookImport,
  type BookImportCounts,
  type BookImportDefaults,
  type BookImportPlanRow,
  createBookImport,
  listBookImportPlan,
  stageBookImportRows,
  summariseBookImport,
} from "#app/features/books/book-import.queries.ts";
import {
  type BookImportNote,
  type BookImportRow,
  chunkBookImportRows,
  readBookImportRow,
} from "#app/features/books/book-import.ts";
import { type BookImportMapping, mapBookImportColumns } from "#app/features/books/book-import-columns.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { type FileRow, readBookFile } from "./book-file.ts";
import { CommandError } from "./command.ts";

export interface ImportOptions {
  defaults: BookImportDefaults;
  /** Shows what would change and changes nothing. */
  dryRun: boolean;
  /** Leaves out rows with problems instead of importing nothing. */
  skipRefused: boolean;
}

/** Where the import tells what it does, in lines for people. */
export interface Telling {
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
  tell: Telling,
): Promise<BookImportCounts> {
  const rows = readBookFile(path);
  const headings = await rows.next();
  if (headings.done) throw new CommandError(`${path} is empty.`);
  const mapping = mapBookImportColumns(headings.value.cells);
  describeColumns(mapping, headings.value.cells, tell);

  const importId = await createBookImport(client, basename(path), options.defaults);
  const { hints, shifted } = await stageRows(client, importId, rows, mapping, tell);
  const plan = await summariseBookImport(client, importId);
  const refusedRows =
    plan.refused > 0
      ? await listBookImportPlan(client, importId, { action: "refused", pageSize: longestList })
      : [];
  const refused = plan.refused + shifted.length;

  describeNotes(countOf(hints.length, "hint"), hints, hints.length, tell);
  const problems = [...shifted, ...refusedRows.map(problemsOf)];
  describeNotes(`${countOf(refused, "row")} with problems`, problems, refused, tell);

  if (options.dryRun) {
    await describeUpdates(client, importId, plan, tell);
    return { ...plan, refused };
  }
  if (refused > 0 && !options.skipRefused) {
    throw new CommandError(
      "Nothing was imported. Correct these rows, or leave them out with --skip-refused.",
    );
  }
  tell.progress("applying …");
  const done = await applyBookImport(client, importId, options);
  return { ...done, refused };
}

/** Sends the file's rows to the database's staging table; rows whose cells do not fit the headings stay behind. */
async function stageRows(
  client: BackendClient,
  importId: string,
  rows: AsyncIterable<FileRow>,
  mapping: BookImportMapping,
  tell: Telling,
): Promise<{ hints: BookImportNote[]; shifted: BookImportNote[] }> {
  const hints: BookImportNote[] = [];
  const shifted: BookImportNote[] = [];
  async function* fittingRows(): AsyncGenerator<BookImportRow> {
    for await (const { cells, line } of rows) {
      const result = readBookImportRow(cells, line, mapping);
      if (result.row === null) {
        shifted.push(result.problem);
      } else {
        hints.push(...result.hints);
        yield result.row;
      }
    }
  }
  let staged = 0;
  for await (const chunk of chunkBookImportRows(fittingRows())) {
    await stageBookImportRows(client, importId, chunk);
    staged += chunk.length;
    tell.progress(`${countOf(staged, "row")} read …`);
  }
  return { hints, shifted };
}

function describeColumns(mapping: BookImportMapping, headings: string[], tell: Telling): void {
  const { columns, ignored } = mapping;
  if (columns.title === undefined) {
    throw new CommandError(`The file has no column for the title. Its headings are: ${headings.join(", ")}`);
  }
  const read = Object.entries(columns).map(([column, place]) =>
    column === "authors" ? `${headings[place]} (into the description)` : headings[place],
  );
  tell.line(`Columns read: ${read.join(", ")}`);
  if (ignored.length > 0) tell.line(`Columns left out: ${ignored.join(", ")}`);
}

function problemsOf({ line, problems }: BookImportPlanRow): BookImportNote {
  return { line, message: problems.join(" ") };
}

/** The first notes, and how many there are in all. */
function describeNotes(heading: string, notes: BookImportNote[], total: number, tell: Telling): void {
  if (total === 0) return;
  tell.line(`${heading}:`);
  for (const { line, message } of notes.slice(0, longestList)) tell.line(`  line ${line}: ${message}`);
  if (total > longestList) tell.line(`  … and ${total - longestList} more`);
}

/** The first books that an import would change, with their old and new price and stock. */
async function describeUpdates(
  client: BackendClient,
  importId: string,
  plan: BookImportCounts,
  tell: Telling,
): Promise<void> {
  if (plan.updated === 0) return;
  tell.line(`${countOf(plan.updated, "book")} would change:`);
  for (const row of await listBookImportPlan(client, importId, { action: "update", pageSize: longestList })) {
    tell.line(`  line ${row.line}: ${row.after.title}: ${describeChange(row)}`);
  }
  if (plan.updated > longestList) tell.line(`  … and ${plan.updated - longestList} more`);
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

function cedis(price: number | undefined): string {
  return price === undefined ? "none" : formatCedis(pesewasFromCedis(price));
}

/** '1 row', '10,000 rows'. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}
