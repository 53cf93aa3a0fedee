import { openTableFile } from "./open-table-file.ts";
import { saveFile } from "./save-file.ts";
import type { TableCell, TableFormat } from "./table-file.ts";

/** A table that fits on a screen or a few, with the name of its file without the end. */
export type SavedTable = {
  name: string;
  headings: readonly string[];
  rows: readonly (readonly TableCell[])[];
};

/** Hands a table to the browser as a download. @returns the file's name */
export async function saveTable({ name, headings, rows }: SavedTable, format: TableFormat): Promise<string> {
  const file = await openTableFile(format, headings);
  await file.add(rows);
  const fileName = `${name}.${format}`;
  saveFile(await file.finish(), fileName);
  return fileName;
}
