import { saveFile } from "#app/lib/browser/save-file.ts";
import type { SavedTable, TableFormat } from "#shared/tables/table-file.ts";
import { openTableFile } from "./open-table-file.ts";

/** Hands a table to the browser as a download. @returns the file's name */
export async function saveTable({ name, headings, rows }: SavedTable, format: TableFormat): Promise<string> {
  const file = await openTableFile(format, headings);
  await file.add(rows);
  const fileName = `${name}.${format}`;
  saveFile(await file.finish(), fileName);
  return fileName;
}
