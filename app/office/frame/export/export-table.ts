import { hyphenatedIsbn } from "#app/features/books/isbn-ranges.ts";
import type { Amount, TableCell } from "#shared/tables/table-file.ts";
import { sortableMinute } from "#shared/text/dates.ts";
import { cedisFromPesewas, type Pesewas } from "#shared/text/money.ts";

/** The columns of an exported table, by heading. */
export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => TableCell>>;

/** A table's headings, and the cells of each of a row's lines. */
export type ExportTable<Row> = { headings: readonly string[]; linesOf: (row: Row) => TableCell[][] };

export function tableOf<Row>(columns: ExportColumns<Row>): ExportTable<Row> {
  return { headings: Object.keys(columns), linesOf: (row) => [cellsOf(columns, row)] };
}

export function cellsOf<Row>(columns: ExportColumns<Row>, row: Row): TableCell[] {
  return Object.values(columns).map((cellOf) => cellOf(row));
}

/** 'books-2026-11-20', or 'books-matching-2026-11-20' when filters were applied; the format is its end. */
export function exportFileName(many: string, filtered: boolean, at: Date): string {
  return `${many}${filtered ? "-matching" : ""}-${sortableMinute(at).slice(0, 10)}`;
}

export const amount = (pesewas: Pesewas): Amount => ({ cedis: cedisFromPesewas(pesewas) });

/** With hyphens, because a spreadsheet would show thirteen digits as 9.78E+12. */
export function spreadsheetIsbn(isbn: string | null): string | null {
  if (isbn === null) return null;
  const printed = hyphenatedIsbn(isbn);
  return /^\d{12,}$/.test(printed) ? `${printed.slice(0, 3)}-${printed.slice(3)}` : printed;
}
