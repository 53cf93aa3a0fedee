import { parseArgs } from "node:util";
import { findLastBookImport, undoBookImport } from "#app/features/books/book-import.queries.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { countOf } from "#app/lib/count-of.ts";
import type { Pesewas } from "#app/lib/money.ts";
import { readPrice } from "#app/lib/typed-price.ts";
import { CommandError, runCommand } from "./command.ts";
import { type ImportOptions, importBookFile, type Reporter } from "./import-book-file.ts";
import { connectAsOwner } from "./owner-client.ts";

/*
 * npm run import-books -- FILE.csv: adds the file's books and updates those with the same ID or ISBN, on every backend,
 * also while the shop runs. Rows left out are written to FILE-to-repair.csv.
 */

const usage = `Usage: npm run import-books -- FILE.csv [options]
       npm run import-books -- --undo
  --default-price 50       price in cedis of new books whose row has none (otherwise such rows are refused)
  --default-stock 10       stock of new books whose row has none (otherwise 0)
  --default-publisher NAME publisher of new books whose row has none
  --dry-run                show what would change, change nothing
  --skip-refused           leave out rows with problems instead of importing nothing
  --undo                   take back the last import; books ordered or changed since stay
Columns are found by their headings: title, authors, publisher, isbn, price, stock, course, subject, grade level,
age range, curriculum type, edition, description, image url, and id in the shop's own exports. Rows with problems are
written to FILE-to-repair.csv beside the file, with their lines and reasons, to correct and import.`;

type Task = { undo: true } | { undo: false; path: string; options: ImportOptions };

function readWords(words: string[]): Task {
  let parsed: ReturnType<typeof parseWords>;
  try {
    parsed = parseWords(words);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
  const { values, positionals } = parsed;
  const [path, ...more] = positionals;
  if (values.undo && words.length === 1) return { undo: true };
  if (values.undo) throw new CommandError("--undo takes no other options.");
  if (path === undefined || more.length > 0) throw new CommandError("Name one file; --help shows how.");
  return {
    undo: false,
    path,
    options: {
      defaults: {
        price: readDefaultPrice(values["default-price"]),
        stock: readStock(values["default-stock"]),
        publisher: values["default-publisher"] ?? null,
      },
      dryRun: values["dry-run"],
      skipRefused: values["skip-refused"],
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
      "dry-run": { type: "boolean", default: false },
      "skip-refused": { type: "boolean", default: false },
      undo: { type: "boolean", default: false },
    },
  });
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

/** On a terminal progress stays in one line; elsewhere it would only fill a log. */
function reportOnConsole(): Reporter {
  const { stderr } = process;
  return {
    line: (text) => console.log(text),
    progress: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[K${text}\r`);
    },
  };
}

async function runImport(client: BackendClient, path: string, options: ImportOptions): Promise<void> {
  const started = performance.now();
  const { added, updated, unchanged, refused } = await importBookFile(
    client,
    path,
    options,
    reportOnConsole(),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const [add, update] = options.dryRun ? ["would be added", "would be updated"] : ["added", "updated"];
  const left = refused === 0 ? "" : `, ${countOf(refused, "row")} left out`;
  console.log(
    `${countOf(added, "book")} ${add}, ${updated} ${update}, ${unchanged} unchanged${left} (${seconds} s).`,
  );
}

async function undoLastImport(client: BackendClient): Promise<void> {
  const last = await findLastBookImport(client);
  if (last === null) throw new CommandError("There is no import to undo.");
  const { deleted, restored, kept } = await undoBookImport(client, last.id);
  console.log(
    `${last.file_name} is taken back: ${countOf(deleted, "book")} deleted, ${restored} changed back, ${kept} kept.`,
  );
}

await runCommand(usage, async (words) => {
  const task = readWords(words);
  const { client, close } = await connectAsOwner(process.env);
  try {
    await (task.undo ? undoLastImport(client) : runImport(client, task.path, task.options));
  } finally {
    await close();
  }
});
