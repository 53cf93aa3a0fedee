import type { KnownColumn } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { BookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { type ColumnChoices, suggestChoices } from "#app/office/catalogue/import/column-choices.ts";
import { readStatementAmount, readStatementDay } from "./statement-cells.ts";

/** The columns read from a statement, and how operators and banks in Ghana head them. */
const columns = [
  {
    name: "day",
    label: "Date",
    headings:
      "transactiondate transdate trandate txndate transactiondatetime datetime date postingdate postdate bookingdate entrydate valuedate day transactiontime time",
  },
  {
    name: "credit",
    label: "Money in (credit)",
    headings:
      "credit creditamount creditghs creditamountghs credits cr deposit deposits moneyin paidin amountin inflow lodgement lodgements",
  },
  {
    name: "debit",
    label: "Money out (debit)",
    headings:
      "debit debitamount debitghs debitamountghs debits dr withdrawal withdrawals moneyout paidout amountout outflow",
  },
  {
    name: "amount",
    label: "Amount",
    headings: "amount transactionamount transamount txnamount amountreceived value",
  },
  {
    name: "type",
    label: "In or out (credit or debit)",
    headings: "drcr crdr debitcredit creditdebit direction transactiontype transtype txntype type",
  },
  { name: "status", label: "Status", headings: "status transactionstatus state" },
  { name: "currency", label: "Currency", headings: "currency ccy" },
  {
    name: "reference",
    label: "Transaction ID",
    headings:
      "transactionid financialtransactionid fid txnid transid transactionref transactionreference transactionno transactionnumber receiptno receiptnumber referenceno referencenumber refno reference ref id externalid",
  },
  {
    name: "narration",
    label: "Narration",
    headings:
      "narration narrative description transactiondescription details transactiondetails paymentdetails particulars remarks remark memo purpose tomessage message payernote note notes reason reference ref",
  },
  {
    name: "message",
    label: "Other text",
    headings:
      "tomessage message payernote customerreference paymentreference payerreference reference ref note notes reason remarks frommessage",
  },
  {
    name: "name",
    label: "Payer's name",
    headings: "fromname payername sendername customername payer sender paidby name counterparty accountname",
  },
  {
    name: "phone",
    label: "Payer's phone",
    headings:
      "fromno fromnumber frommsisdn msisdn payernumber payerphone sendernumber senderphone phonenumber phone mobilenumber mobileno mobile customerphone fromaccount fromacct from",
  },
  { name: "before", label: "Balance before", headings: "balbefore balancebefore" },
  { name: "after", label: "Balance after", headings: "balafter balanceafter" },
] as const;

export type StatementColumn = (typeof columns)[number]["name"];

export const statementColumns: readonly (KnownColumn<StatementColumn> & { label: string })[] = columns;

/** What must still be chosen before lines can be read, or null. */
export function missingStatementColumn(choices: ColumnChoices<StatementColumn>): string | null {
  if (!choices.includes("day")) return "Say which column is the date.";
  if (choices.includes("credit") || choices.includes("amount")) return null;
  return "Say which column is the amount, or the money in.";
}

/** Mobile money if it has the payers' phones or balances before and after, as operators' statements do. */
export function guessMethod(choices: ColumnChoices<StatementColumn>): "mobile_money" | "bank_transfer" {
  return choices.includes("phone") || choices.includes("before") ? "mobile_money" : "bank_transfer";
}

/** Turns headings that look like a statement's line back into a row, for a table copied without headings. */
export function withOwnHeadings(table: BookTable): BookTable {
  const { headings, rows } = table;
  const isLine =
    headings.some((cell) => typeof readStatementDay(cell) === "string") &&
    headings.some((cell) => !/^\s*\d+\s*$/.test(cell) && typeof readStatementAmount(cell) === "object");
  if (!isLine) return table;
  const line = Math.max((rows[0]?.line ?? 2) - 1, 1);
  return { ...table, headings: headings.map(() => ""), rows: [{ line, cells: headings }, ...rows] };
}

/** Rows read to guess what a column is when its heading doesn't say. */
const SAMPLE_ROWS = 20;

/** Guesses each column from its heading, and date, amount and text also from their cells. */
export function suggestStatementChoices({ headings, rows }: BookTable): ColumnChoices<StatementColumn> {
  const choices = [...suggestChoices(headings, statementColumns)];
  const cellsOf = (at: number) =>
    rows.slice(0, SAMPLE_ROWS).flatMap(({ cells, problem }) => (problem ? [] : (cells[at]?.trim() ?? [])));
  const share = (at: number, fits: (cell: string) => boolean) => {
    const filled = cellsOf(at).filter((cell) => cell !== "");
    return filled.length === 0 ? 0 : filled.filter(fits).length / filled.length;
  };
  const choose = (column: StatementColumn, fits: (cell: string) => boolean) => {
    if (choices.includes(column)) return;
    const at = choices.findIndex((choice, place) => choice === null && share(place, fits) > 0.7);
    if (at !== -1) choices[at] = column;
  };
  choose("day", (cell) => typeof readStatementDay(cell) === "string");
  if (!choices.includes("credit"))
    choose(
      "amount",
      (cell) => /\d[.,]\d\d\b|^\D+\d+$/.test(cell) && typeof readStatementAmount(cell) === "object",
    );
  if (headings.every((heading) => heading === "")) {
    choose("phone", (cell) => /^(?:\+?233|0)?\d{9}$/.test(cell));
    choose("reference", (cell) => /^(?=.*\d)[\w-]{6,}$/.test(cell));
    choose("narration", (cell) => /\p{L}{3}/u.test(cell));
    choose("name", (cell) => /\p{L}{3}/u.test(cell));
  }
  return choices;
}
