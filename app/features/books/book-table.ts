import { detectDelimiter } from "./book-import-columns.ts";

/** How a supplier's CSV file is read, whether the command or the back office reads it. */

/** Longer rows come from a quotation mark that never closes. */
const longestRow = 1_000_000;

/** What a file that is no UTF-8 is answered with: in another encoding it would lose its accents. */
export const NOT_UTF8 = "The file is not UTF-8. Save it as 'CSV UTF-8' and try again.";

/** The parser's options for a table whose first line is known. Commas, semicolons and tabs separate cells. */
export function bookTableOptions(firstLine: string) {
  return {
    bom: true,
    delimiter: detectDelimiter(firstLine),
    info: true,
    max_record_size: longestRow,
    relax_column_count: true,
    relax_quotes: true,
  } as const;
}

/** Why a row could not be read, in words. `line` is where it begins. */
export function explainTableFailure(
  { code, message }: { code?: string; message: string },
  line: number,
): string {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
    case "CSV_MAX_RECORD_SIZE":
      return `Line ${line}: a quotation mark opens in this row and never closes.`;
    default:
      return `Line ${line}: the row cannot be read (${message}).`;
  }
}
