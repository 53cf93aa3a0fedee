import { parseArgs } from "node:util";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { retryStep } from "#app/lib/backend/retry.ts";
import {
  type BookImportCounts,
  findLastBookImport,
  listRemainingBooks,
  REMAINING_PAGE_SIZE,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import {
  type BookImportMapping,
  bookImportColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import { undoInSteps } from "#app/office/catalogue/book-import/book-import-steps.ts";
import { SECTION_FIELDS, type SectionField } from "#app/office/catalogue/book-import/list-plan.ts";
import { type RemainingBook, remainingReason } from "#app/office/catalogue/book-import/remaining-books.ts";
import { leftOutWords } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import { CommandError, runCommand } from "./command.ts";
import { type ImportOptions, importBookFile } from "./import-book-file.ts";
import { type Reporter, reportOnConsole, startPace } from "./import-report.ts";
import { readMoneyOptions } from "./list-money.ts";
import { applyNewRates, type NewRateOptions } from "./new-rates.ts";
import { connectAsOwner } from "./owner-client.ts";

/*
 * npm run import-books -- FILE.csv, FILE.xlsx or FILE.xml: adds the file's books and updates those with the same ID or ISBN, on every backend,
 * also while the shop runs. Rows with problems are written to FILE-to-repair.csv, lines that are not books to sell to FILE-left-out.csv. An import that was interrupted continues when the
 * same command is run again.
 */

const usage = `Usage: npm run import-books -- FILE [options]
       npm run import-books -- --new-rate SOURCE --rate GBP=16.40 [--add] [--round] [--dry-run]
       npm run import-books -- --undo [--yes]
  --default-price 50       price in cedis of new books whose row has none (otherwise such rows are refused)
  --default-stock 10       stock of new books whose row has none (otherwise 0)
  --default-publisher NAME publisher of new books whose row has none
  --set-stock              replace the stock of existing books by the file's; copies sold since then go back on sale
  --rate GBP=15.80         what one of another currency costs in cedis; once for each currency of the file
  --add 12                 per cent added to prices of another currency, for freight and profit (otherwise 0)
  --round 0.50             round these to multiples of 0.01, 0.05, 0.10, 0.50, 1, 5 or 10 cedis (otherwise 0.50)
  --currency GBP           what prices are in that do not say it (otherwise what the headings say, or cedis)
  --source NAME            the supplier or list by which rate, addition and rounding are remembered (otherwise the file's name)
  --column price=5         which column is what, where several may be the same, counted from 1; once for each
  --take-hidden            take rows and columns that are hidden in a workbook as well
  --take-unsure            import lines that may not be books as well (otherwise they are rows with problems)
  --take-lines 12,15       import only these of them
  --sections grade_level   what headings such as "LOWER PRIMARY" fill in the books below them: grade_level, subject or course
  --dry-run                show what would change, change nothing
  --skip-refused           leave out rows with problems instead of importing nothing
  --accept-odd             import although prices or titles look wrong, once you have looked at them (otherwise nothing is imported)
  --rows-per-step 200      import or undo this many rows at a time (default: 1,000 above 20,000 rows, otherwise all at once)
  --sheet NAME             the sheet to read, if FILE is an Excel workbook with several
  --new-rate SOURCE        work out the prices of a list's books anew, by another rate and without its file; prices changed since stay
  --undo                   show the last import; with --yes take it back: new books ordered or edited since stay
FILE is a CSV file, an Excel workbook (.xlsx) or an ONIX message (.xml, or .zip with one), whose products are rows. Columns are found by their headings: title, authors, publisher, isbn,
price, stock, course, subject, grade level, age range, curriculum type, edition, description, image url, and id in the
shop's own exports. Books that the shop has keep their stock, unless the file is an export of the shop: then what was
changed in it counts, where the stock is still the one in the column "Stock at export", and other fields are only imported where they
differ from the column "As exported". Prices in another currency, by their heading, cell, number format or a line above the headings, are
never taken for cedis: without --rate nothing is imported. Rows with problems are written to FILE-to-repair.csv beside the file, with their lines and reasons, to correct and import; lines that are not books to sell, such as sums and headings, to FILE-left-out.csv. Files of more than
20,000 rows are imported in steps; if one is interrupted, the same command continues it.`;

type Task =
  | { undo: false; newRate: Omit<NewRateOptions, "signal"> }
  | { undo: true; yes: boolean; rowsPerStep?: number }
  | { undo: false; newRate: null; path: string; options: ImportOptions };

function readWords(words: string[]): Task {
  let parsed: ReturnType<typeof parseWords>;
  try {
    parsed = parseWords(words);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
  const { values, positionals } = parsed;
  const [path, ...more] = positionals;
  const rowsPerStep = readRowsPerStep(values["rows-per-step"]);
  if (values.undo) {
    const others = { ...values, undo: false, yes: false, "rows-per-step": undefined };
    if (path !== undefined || Object.values(others).some(Boolean))
      throw new CommandError("--undo takes no other options except --yes and --rows-per-step.");
    return { undo: true, yes: values.yes, rowsPerStep };
  }
  if (values["new-rate"] !== undefined) return { undo: false, newRate: readNewRate(values, positionals) };
  if (path === undefined || more.length > 0) throw new CommandError("Name one file; --help shows how.");
  return {
    undo: false,
    newRate: null,
    path,
    options: {
      choices: {
        price: readDefaultPrice(values["default-price"]),
        stock: readStock(values["default-stock"]),
        publisher: values["default-publisher"] ?? null,
        setsStock: values["set-stock"],
      },
      money: readMoneyOptions(values),
      source: values.source,
      columns: { columns: readColumns(values.column), takesHidden: values["take-hidden"] },
      takesUnsure: values["take-unsure"] || readLines(values["take-lines"]),
      sectionField: readSectionField(values.sections),
      dryRun: values["dry-run"],
      skipRefused: values["skip-refused"],
      acceptsOdd: values["accept-odd"],
      rowsPerStep,
      sheet: values.sheet,
    },
  };
}

function parseWords(words: string[]) {
  return parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      "default-price": { type: "string" },
      "default-stock": { type: "string" },
      "default-publisher": { type: "string" },
      "set-stock": { type: "boolean", default: false },
      rate: { type: "string", multiple: true },
      add: { type: "string" },
      round: { type: "string" },
      currency: { type: "string" },
      source: { type: "string" },
      column: { type: "string", multiple: true },
      "take-hidden": { type: "boolean", default: false },
      "take-unsure": { type: "boolean", default: false },
      "take-lines": { type: "string" },
      sections: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      "skip-refused": { type: "boolean", default: false },
      "new-rate": { type: "string" },
      "accept-odd": { type: "boolean", default: false },
      undo: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "rows-per-step": { type: "string" },
      sheet: { type: "string" },
    },
  });
}

function readNewRate(
  values: ReturnType<typeof parseWords>["values"],
  positionals: readonly string[],
): Omit<NewRateOptions, "signal"> {
  const allowed = [
    "new-rate",
    "rate",
    "add",
    "round",
    "dry-run",
    "skip-refused",
    "accept-odd",
    "rows-per-step",
  ];
  const other = Object.entries(values).find(([name, value]) => value && !allowed.includes(name));
  if (other || positionals.length > 0)
    throw new CommandError(
      "--new-rate takes no file, and no other options except --rate, --add, --round, --dry-run, --skip-refused, --accept-odd and --rows-per-step.",
    );
  return {
    source: values["new-rate"] ?? "",
    money: readMoneyOptions(values),
    dryRun: values["dry-run"],
    skipRefused: values["skip-refused"],
    acceptsOdd: values["accept-odd"],
    rowsPerStep: readRowsPerStep(values["rows-per-step"]),
  };
}

function readDefaultPrice(text: string | undefined): Pesewas | null {
  if (text === undefined) return null;
  const amount = readPrice(text);
  if (typeof amount !== "number")
    throw new CommandError("--default-price must be an amount in cedis, such as 49.50");
  return amount;
}

function readStock(text = "0"): number {
  if (!/^\d{1,7}$/.test(text)) throw new CommandError("--default-stock must be a whole number of at least 0");
  return Number(text);
}

function readColumns(typed: readonly string[] = []): BookImportMapping["columns"] {
  const columns: BookImportMapping["columns"] = {};
  for (const text of typed) {
    const [word, number = ""] = text.split("=");
    const known = bookImportColumns.find(({ name }) => name === word);
    if (!known || !/^[1-9]\d{0,2}$/.test(number))
      throw new CommandError(
        `--column must be a field and the number of its column, such as price=5, not ${text}`,
      );
    columns[known.name] = Number(number) - 1;
  }
  return columns;
}

function readLines(text: string | undefined): ReadonlySet<number> {
  if (text !== undefined && !/^\d{1,7}(?:,\d{1,7})*$/.test(text))
    throw new CommandError("--take-lines must be numbers of lines, such as 12,15");
  return new Set(text?.split(",").map(Number));
}

function readSectionField(text: string | undefined): SectionField | null {
  const field = SECTION_FIELDS.find((name) => name === text);
  if (text !== undefined && field === undefined)
    throw new CommandError(`--sections must be ${SECTION_FIELDS.join(", ")}`);
  return field ?? null;
}

function readRowsPerStep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new CommandError("--rows-per-step must be a whole number from 1 to 99999");
  return Number(text);
}

async function runImport(
  dryRun: boolean,
  importing: (signal: AbortSignal, report: Reporter) => Promise<BookImportCounts>,
): Promise<void> {
  const started = performance.now();
  const counts = await importing(stopOnInterrupt(), reportOnConsole());
  const { added, updated, unchanged } = counts;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const [add, update] = dryRun ? ["would be added", "would be updated"] : ["added", "updated"];
  const leftOut = leftOutWords(counts);
  console.log(
    `${countOf(added, "book")} ${add}, ${updated} ${update}, ${unchanged} unchanged${leftOut && `; not imported: ${leftOut}`} (${seconds} s).`,
  );
  if (!dryRun && added + updated > 0) console.log("To take it back: npm run import-books -- --undo");
}

async function undoLastImport(
  client: BackendClient,
  { yes, rowsPerStep }: { yes: boolean; rowsPerStep?: number },
): Promise<void> {
  const last = await findLastBookImport(client);
  if (last === null) throw new CommandError("There is no import to undo.");
  if (!yes) {
    console.log(
      `This would take back ${last.file_name}${last.applied_at ? `, imported on ${formatDay(last.applied_at)}` : ""}: ${countOf(last.added, "new book")} deleted and ${countOf(last.updated, "book")} changed back. New books that were ordered or edited since stay, and so does what was edited since; orders keep their own prices.`,
    );
    console.log("Nothing has changed. To take it back: npm run import-books -- --undo --yes");
    return;
  }
  const report = reportOnConsole();
  const signal = stopOnInterrupt();
  const pace = startPace(last.applied_rows);
  const { deleted, restored, kept } = await undoInSteps(client, last, {
    rowsPerStep,
    call: (step) => retryStep(step, { signal }),
    onStep: ({ applied_rows }) => report.progress(`undone: ${pace(last.applied_rows - applied_rows)}`),
  });
  console.log(
    `${last.file_name} is taken back: ${countOf(deleted, "book")} deleted, ${restored} changed back, ${kept} kept.`,
  );
  await describeBooksKept(client, last.id);
}

async function describeBooksKept(client: BackendClient, importId: string): Promise<void> {
  let page: RemainingBook[] = [];
  do {
    page = await listRemainingBooks(client, importId, page.at(-1)?.line);
    for (const book of page) console.log(`  line ${book.line}: ${book.title}: ${remainingReason(book)}`);
  } while (page.length === REMAINING_PAGE_SIZE);
}

/** The first Ctrl-C stops the command after the current step. */
function stopOnInterrupt(): AbortSignal {
  const stopping = new AbortController();
  process.once("SIGINT", () =>
    stopping.abort(
      new CommandError(
        "Stopped. Run the same command to continue, or --undo to take back what was imported.",
      ),
    ),
  );
  return stopping.signal;
}

await runCommand(usage, async (words) => {
  const task = readWords(words);
  const { client, close } = await connectAsOwner(process.env);
  try {
    if (task.undo) await undoLastImport(client, task);
    else if (task.newRate) {
      const { newRate } = task;
      await runImport(newRate.dryRun, (signal, report) =>
        applyNewRates(client, { ...newRate, signal }, report),
      );
    } else {
      const { path, options } = task;
      await runImport(options.dryRun, (signal, report) =>
        importBookFile(client, path, { ...options, signal }, report),
      );
    }
  } finally {
    await close();
  }
});
