import type { TableFile, TableFormat } from "#shared/tables/table-file.ts";

/** Begins a file with its headings. Only a workbook downloads the code that writes one. */
export async function openTableFile(format: TableFormat, headings: readonly string[]): Promise<TableFile> {
  if (format === "csv") return (await import("#shared/tables/csv.ts")).csvFile(headings);
  return (await import("./write-workbook.ts")).workbookFile(headings);
}
