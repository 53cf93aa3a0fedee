/** Tables as text for spreadsheets: commas, CRLF, UTF-8 with a byte order mark, as Excel reads them best. */

/** Without it Excel takes the text for another encoding, and ɛ and ₵ become other letters. */
export const CSV_BYTE_ORDER_MARK = "\uFEFF";

export type CsvCell = string | number | null | undefined;

/** One line with its end. Texts that a spreadsheet would calculate are made plain text; numbers stay numbers. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: CsvCell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = neutralise(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell that begins like a formula could run one on the computer of whoever opens the file. */
function neutralise(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}
