import type { ColumnMapping } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { TableRow } from "#app/office/catalogue/book-import/book-table.ts";
import type { Pesewas } from "#shared/text/money.ts";
import {
  hasMonthsFirst,
  isAmbiguousDate,
  readDirection,
  readStatementAmount,
  readStatementDay,
  type StatementAmount,
} from "./statement-cells.ts";
import type { StatementColumn } from "./statement-columns.ts";

/** A line of money received; texts that the statement lacks are empty. */
export type StatementLine = {
  /** Its position in the file, from 1. */
  line: number;
  amount: Pesewas;
  /** '2026-11-23' */
  day: string;
  /** The transaction's ID. */
  reference: string;
  name: string;
  phone: string;
  narration: string;
};

/** A row that is not money received, with the reason in a sentence. */
export type LeftOutLine = { line: number; reason: string };

export type ReadStatement = { credits: StatementLine[]; leftOut: LeftOutLine[] };

/** The longest transaction ID that the database stores; a longer text can't be one. */
const LONGEST_REFERENCE = 100;
/** A long number as a spreadsheet shortens it, such as 5.12346E+11: many transactions share it. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+?\d+$/i;
/** The database refuses payments before this day. */
const FIRST_DAY = "2020-01-01";
const OUT = "Money paid out.";

/**
 * The money received among a statement's rows.
 * @param today the last day that a payment can have
 */
export function readStatement(
  rows: readonly TableRow[],
  { columns }: ColumnMapping<StatementColumn>,
  today: string,
): ReadStatement {
  const read: ReadStatement = { credits: [], leftOut: [] };
  const monthsFirst = hasMonthsFirst(rows.map(({ cells }) => cells[columns.day ?? -1] ?? ""));
  for (const row of rows) {
    const cell = (name: StatementColumn) =>
      (row.cells[columns[name] ?? -1] ?? "").replace(/\s+/g, " ").trim();
    const credit = row.problem ?? readRow(cell, today, monthsFirst);
    if (typeof credit === "string")
      read.leftOut.push({ line: row.line, reason: credit.replace(", not a book", "") });
    else read.credits.push({ line: row.line, ...credit });
  }
  return read;
}

type Cell = (name: StatementColumn) => string;

function readRow(cell: Cell, today: string, monthsFirst: boolean): Omit<StatementLine, "line"> | string {
  const amount = readCredit(cell);
  if (typeof amount === "string") return amount;
  const status = cell("status");
  if (/fail|pend|revers|cancel|declin|reject|expire|time ?out|incomplete|not /i.test(status))
    return `Not completed: ${status}.`;
  const currency = cell("currency");
  if (currency !== "" && !/^(?:GH[SC₵¢]?|cedis?|₵)$/i.test(currency)) return `Not in cedis: ${currency}.`;
  const day = readStatementDay(cell("day"));
  if (day === null) return "No date.";
  if (day === false || (monthsFirst && isAmbiguousDate(cell("day"))))
    return `The date ${cell("day")} can't be read. Write the day first, such as 23/11/2026.`;
  if (day > today || day < FIRST_DAY) return `The date ${cell("day")} is in the future or before 2020.`;
  const reference = cell("reference").replace(/^'/, "");
  const isReference = reference.length <= LONGEST_REFERENCE && !SHORTENED.test(reference);
  return {
    amount,
    day,
    reference: isReference ? reference : "",
    name: cell("name"),
    phone: cell("phone"),
    narration: [cell("narration"), cell("message"), isReference ? "" : reference].filter(Boolean).join(" · "),
  };
}

/** The amount received, or why the row isn't money received. */
function readCredit(cell: Cell): Pesewas | string {
  const credit = readStatementAmount(cell("credit"));
  if (credit === false) return unreadable(cell("credit"));
  if (credit && credit.amount > 0) return credit.direction === "out" ? OUT : credit.amount;
  const debit = readStatementAmount(cell("debit"));
  if (debit === false || (debit && debit.amount > 0)) return OUT;
  const amount = readStatementAmount(cell("amount"));
  if (amount === false) return unreadable(cell("amount"));
  if (!amount || amount.amount === 0) return "No amount.";
  return directionOf(amount, cell) === "out" ? OUT : amount.amount;
}

function directionOf({ direction }: StatementAmount, cell: Cell): "in" | "out" {
  if (direction === "out") return "out";
  const stated = readDirection(cell("type"));
  if (stated === "out") return "out";
  const before = readStatementAmount(cell("before"));
  const after = readStatementAmount(cell("after"));
  return before && after && after.amount < before.amount ? "out" : "in";
}

const unreadable = (amount: string) => `The amount ${amount} can't be read.`;
