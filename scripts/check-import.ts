import type { BackendClient } from "#app/lib/backend/client.ts";
import {
  type BookImportCounts,
  type BookImportPlanRow,
  type LineRange,
  listBookImportPlan,
  readRowsLeftOut,
  type StockCounts,
  summariseBookImport,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import {
  type ChangeRow,
  copyWords,
  exampleWords,
  type ImportTotals,
  ODDITIES,
  priceMove,
  priceWords,
  ratioWords,
  readTotals,
} from "#app/office/catalogue/book-import/import-totals.ts";
import { LEFT_OUT } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { stockWords } from "#app/office/catalogue/book-import/stock-words.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { type BookFile, type LeftOutFile, openLeftOutFile } from "./book-file.ts";
import { longestList, ProblemSample, type Reporter, startPace } from "./import-report.ts";

/** Rows that are compared with the catalogue in one call. */
const ROWS_PER_CALL = 2_000;

/** What an import would do, and whether something odd has to be confirmed. */
export type CheckedPlan = BookImportCounts & { mustLook: boolean };

/**
 * Says what a staged import would do, range by range. Rows with problems are named and written into a file to repair, lines that are not
 * books to sell into another one; with `showUpdates` the first books that would change, and the largest moves, are shown with what would.
 */
export async function checkImport(
  client: BackendClient,
  importId: string,
  path: string,
  { headings, lastLine, rowCount }: Pick<BookFile, "headings" | "lastLine" | "rowCount">,
  call: <Result>(step: () => PromiseLike<Result>) => Promise<Result>,
  report: Reporter,
  { showUpdates }: { showUpdates: boolean },
): Promise<CheckedPlan> {
  const plan = { added: 0, updated: 0, unchanged: 0, refused: 0, not_books: 0 };
  const stock: StockCounts = { stock_changed: 0, stock_moved: 0, stock_kept: 0, fields_moved: 0 };
  const updates: BookImportPlanRow[] = [];
  const leftOut = LEFT_OUT.map((one) => ({
    ...one,
    sample: new ProblemSample(),
    file: null as LeftOutFile | null,
  }));
  const pace = startPace(rowCount);
  // A product of an ONIX message has a hundred lines.
  const linesPerCall = Math.ceil((ROWS_PER_CALL * Math.max(lastLine, 1)) / Math.max(rowCount, 1));
  let totals: Json | undefined;
  try {
    for (let afterLine = 0; afterLine < lastLine; afterLine += linesPerCall) {
      const range: LineRange = { afterLine, toLine: afterLine + linesPerCall };
      const counts = await call(() => summariseBookImport(client, importId, range, totals));
      totals = counts.figures;
      for (const action of ["added", "updated", "unchanged", "refused", "not_books"] as const)
        plan[action] += counts[action];
      for (const what of ["stock_changed", "stock_moved", "stock_kept", "fields_moved"] as const)
        stock[what] += counts[what];
      for (const one of leftOut) {
        if (counts[one.count] === 0) continue;
        one.file ??= await openLeftOutFile(path, one.kind, headings);
        for await (const rows of readRowsLeftOut(client, importId, one.kind, range)) {
          await one.file.add(rows);
          for (const { line, problems } of rows) one.sample.add({ line, message: problems.join(" ") });
        }
      }
      if (showUpdates && counts.updated > 0 && updates.length < longestList) {
        const some = { ...range, action: "update", pageSize: longestList - updates.length } as const;
        updates.push(...(await call(() => listBookImportPlan(client, importId, some))));
      }
      const done = plan.added + plan.updated + plan.unchanged + plan.refused + plan.not_books;
      report.progress(`checked: ${pace(done)}`);
    }
    for (const { file } of leftOut) await file?.close();
  } catch (error) {
    for (const { file } of leftOut) await file?.discard();
    throw error;
  }
  for (const { kind, words, sample, file } of leftOut) {
    const isProblem = kind === "refused";
    sample.describe(
      (count) =>
        isProblem ? words(count) : `${words(count)}, not ${count === 1 ? "a book" : "books"} to sell`,
      report,
    );
    if (file) report.line(`All of them${isProblem ? ", to repair" : ""}: ${file.path}`);
  }
  if (updates.length > 0) describeUpdates(updates, plan.updated, report);
  const words = stockWords(stock);
  if (words) report.line(stock.stock_kept > 0 ? `${words} To set it as well: --set-stock` : words);
  if (totals === undefined) return { ...plan, mustLook: false };
  const read = readTotals(totals);
  describeTotals(read, report, { showMoves: showUpdates });
  return { ...plan, mustLook: read.oddities.some(({ isGrave }) => isGrave) };
}

/** How far prices and stocks move, the largest moves, and what is odd. */
function describeTotals(totals: ImportTotals, report: Reporter, { showMoves }: { showMoves: boolean }): void {
  const describeMoves = (title: string, rows: ChangeRow[], words: (row: ChangeRow) => string) => {
    if (!showMoves || rows.length === 0) return;
    report.line(`${title}:`);
    for (const row of rows) report.line(`  line ${row.line}: ${row.title}: ${words(row)}`);
  };
  const [prices, copies] = [priceWords(totals), copyWords(totals)];
  if (prices.length > 0) report.line(prices.join(" "));
  describeMoves(
    "Largest changes of prices by ratio",
    totals.priceRatios,
    (row) => `${priceMove(row)} (${ratioWords(row)})`,
  );
  describeMoves("Largest changes of prices by amount", totals.priceAmounts, priceMove);
  if (copies.length > 0) report.line(copies.join(" "));
  describeMoves(
    "Largest changes of stock",
    totals.stockMoves,
    ({ old_stock = 0, stock = 0 }) =>
      `${old_stock.toLocaleString("en-GB")} → ${stock.toLocaleString("en-GB")}`,
  );
  for (const { kind, count, isGrave, examples } of totals.oddities) {
    report.line(
      `${isGrave ? "Look first: " : "Odd: "}${ODDITIES[kind].what(count)}. ${ODDITIES[kind].meaning}`,
    );
    for (const row of examples) report.line(`  line ${row.line}: ${exampleWords(kind, row)}`);
  }
}

/** The first books that an import would change, with their old and new price and stock. */
function describeUpdates(rows: BookImportPlanRow[], count: number, report: Reporter): void {
  report.line(`${countOf(count, "book")} would change:`);
  for (const row of rows) report.line(`  line ${row.line}: ${row.after.title}: ${describeChange(row)}`);
  if (count > rows.length) report.line(`  … and ${count - rows.length} more`);
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
