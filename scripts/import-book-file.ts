import { createHash } from "node:crypto";
import { basename } from "node:path";
import { publisherSpellings } from "#app/features/publishers/publisher-spelling.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { retryStep } from "#app/lib/backend/retry.ts";
import {
  type BookImport,
  type BookImportChoices,
  type BookImportCounts,
  createBookImport,
  findInterruptedImport,
  listKnownPublishers,
  stageBookImportRows,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import { chunkBookImportRows } from "#app/office/catalogue/book-import/book-import.ts";
import type { BookImportMapping } from "#app/office/catalogue/book-import/book-import-columns.ts";
import { NoteGroups } from "#app/office/catalogue/book-import/import-notes.ts";
import {
  type ListChoices,
  readListRow,
  type SectionField,
} from "#app/office/catalogue/book-import/list-plan.ts";
import { sourceOf } from "#app/office/catalogue/book-import/price-conversion.ts";
import { countOf } from "#shared/text/count-of.ts";
import { applyChecked } from "./apply-import.ts";
import { type BookFile, type ColumnOptions, openBookFile, ownText } from "./book-file.ts";
import { type CheckedPlan, checkImport } from "./check-import.ts";
import { CommandError } from "./command.ts";
import { describeNotes, longestList, type Reporter, startPace } from "./import-report.ts";
import { decideMoney, type MoneyOptions } from "./list-money.ts";

export interface ImportOptions {
  choices: Omit<BookImportChoices, "conversion" | "source">;
  /** How prices in another currency become cedis. */
  money?: MoneyOptions;
  /** The supplier or list; without it, what the file's name says. */
  source?: string;
  /** Which columns are what, and whether hidden ones are taken. */
  columns?: ColumnOptions;
  /** Imports lines that may not be books: all, or these. */
  takesUnsure?: ListChoices["takesUnsure"];
  /** What headings of sections fill in the books below them. */
  sectionField?: SectionField | null;
  /** Shows what would change and changes nothing. */
  dryRun: boolean;
  /** Leaves out rows with problems instead of importing nothing. */
  skipRefused: boolean;
  /** Imports although prices or titles look wrong. */
  acceptsOdd?: boolean;
  /** Imports in steps of so many rows, also a file that would be imported at once. */
  rowsPerStep?: number;
  /** The workbook's sheet to read, where it has several. */
  sheet?: string;
  /** Ends the import between two steps. */
  signal?: AbortSignal;
}

const neverAborted = new AbortController().signal;

/**
 * Imports a CSV file, an Excel workbook or an ONIX message: staged chunk by chunk, checked, then applied by one call that does all of it or nothing, or in
 * steps if it is large. One that was interrupted continues where it stopped.
 * @returns what was done, or in a dry run what would be
 * @throws CommandError in one line when the file or its rows stop the import; nothing is changed then
 */
export async function importBookFile(
  client: BackendClient,
  path: string,
  {
    choices: typed,
    money: typedMoney = { rates: {}, percent: null, roundTo: null },
    source,
    columns,
    takesUnsure = false,
    sectionField = null,
    dryRun,
    skipRefused,
    acceptsOdd = false,
    rowsPerStep,
    sheet,
    signal = neverAborted,
  }: ImportOptions,
  report: Reporter,
): Promise<BookImportCounts> {
  report.progress("reading the file …");
  const file = await openBookFile(path, sheet, columns);
  const { mapping } = file;
  describeColumns(mapping, file.headings, report);
  if (file.plan.hiddenCount > 0)
    report.line(
      `${countOf(file.plan.hiddenCount, "row")} hidden in the workbook left out. To take hidden rows and columns: --take-hidden`,
    );
  if (file.hiddenSheets.length > 0)
    report.line(`Hidden sheets left out: ${file.hiddenSheets.join(", ")}. To read one: --sheet NAME`);
  if (file.plan.hasCountsOfCopies)
    report.line("The column of availability has numbers of copies, not codes, and is left out.");
  const sections = [...file.plan.sections];
  if (sections.length > 0 && !sectionField)
    report.line(
      `Headings above books: ${sections.slice(0, 5).map(ownText).join(", ")}${sections.length > 5 ? " …" : ""}. To fill a field of the books below them: --sections grade_level`,
    );
  if (file.encoding === "Windows-1252") report.line("The file is not UTF-8, so it is read as Windows text.");

  const list = source ?? sourceOf(basename(path));
  const money = await decideMoney(client, file.plan.currencies, list, typedMoney, report);
  const listChoices: ListChoices = { ...money, takesUnsure, sectionField };
  const choices: BookImportChoices = { ...typed, conversion: money.conversion, source: list };

  const call = <Result>(step: () => PromiseLike<Result>) => retryStep(step, { signal });
  const taken = typeof takesUnsure === "boolean" ? takesUnsure : [...takesUnsure];
  const fingerprint = hashOf([file.fingerprint, choices, { ...listChoices, takesUnsure: taken }, columns]);
  const known = await findInterruptedImport(client, fingerprint);
  if (known?.status === "applying") {
    if (dryRun) throw new CommandError(`${partlyApplied(known)} Continue it without --dry-run, or undo it.`);
    report.line(`${partlyApplied(known)} Continuing from there.`);
  }
  const importId =
    known?.id ?? (await createBookImport(client, basename(path), choices, file.headings, fingerprint));
  let plan: CheckedPlan | null = null;
  if (known?.status !== "applying") {
    await stageRows(client, importId, file, { mapping, listChoices }, known?.stagedLine ?? 0, call, report);
    plan = await checkImport(client, importId, path, file, call, report, { showUpdates: dryRun });
    if (dryRun) return plan;
  }
  const { rowCount } = file;
  const refusal = `Nothing was imported. Correct these rows, or leave them out with --skip-refused.${file.plan.unsureCount > 0 ? " To import lines that may not be books: --take-unsure, or some of them: --take-lines 12,15" : ""}`;
  const appliedRows = known?.applied_rows;
  return applyChecked(
    client,
    importId,
    { plan, rowCount, appliedRows, skipRefused, refusal, acceptsOdd, rowsPerStep, call },
    report,
  );
}

const hashOf = (parts: unknown) => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const partlyApplied = ({ applied_rows, total_rows }: BookImport) =>
  `This file is partly imported: ${applied_rows.toLocaleString("en-GB")} of ${countOf(total_rows, "row")} applied.`;

/** Sends the file's rows after a line to the database's staging table, and prints notes on how they were read. */
async function stageRows(
  client: BackendClient,
  importId: string,
  file: BookFile,
  { mapping, listChoices }: { mapping: BookImportMapping; listChoices: ListChoices },
  stagedLine: number,
  call: <Result>(step: () => PromiseLike<Result>) => Promise<Result>,
  report: Reporter,
): Promise<void> {
  const spellings = publisherSpellings(await listKnownPublishers(client), file.publishers);
  const notes = new NoteGroups(longestList);
  let read = 0;
  const sorter = file.plan.sorter();
  async function* readRows() {
    for await (const tableRow of file.rows()) {
      const { row, hints } = readListRow(tableRow, sorter, mapping, spellings, listChoices);
      for (const { line, message } of hints) notes.add({ line, message: ownText(message) });
      read += 1;
      if (row.line > stagedLine) yield row;
    }
  }
  const pace = startPace(file.rowCount);
  for await (const chunk of chunkBookImportRows(readRows())) {
    await call(() => stageBookImportRows(client, importId, chunk));
    report.progress(`read: ${pace(read)}`);
  }
  describeNotes(notes, report);
}

function describeColumns(mapping: BookImportMapping, headings: string[], report: Reporter): void {
  const { columns, ignored } = mapping;
  if (columns.title === undefined && columns.isbn === undefined && columns.id === undefined) {
    throw new CommandError(
      `The file has no column for the title or the ISBN. Its headings are: ${headings.join(", ")}. Say which one it is, such as --column title=1`,
    );
  }
  const read = Object.values(columns).map((place) => headings[place]);
  report.line(`Columns read: ${read.join(", ")}`);
  if (ignored.length > 0) report.line(`Columns left out: ${ignored.join(", ")}`);
}
