import { MAX_ROWS_AT_ONCE } from "#app/office/catalogue/book-import/book-import.queries.ts";
import type { KnownColumn } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { BookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { isOnix, ONIX_START_BYTES } from "#app/office/catalogue/book-import/onix-start.ts";
import { isArchive, openPackedOnix } from "#app/office/catalogue/book-import/packed-onix.ts";
import type { SheetChoice } from "#app/office/catalogue/book-import/workbook-table.ts";
import { MOST_UNPACKED } from "./most-rows.ts";

const MAX_MEGABYTES = 20;

export type OpenedTable = { table: BookTable } | SheetChoice | { problem: string };

/** What a worker is told: the file, the columns to look for and the sheet, if it was chosen. */
export type ReadRequest = { file: File; columns: readonly KnownColumn[]; sheet: string | undefined };

type OpenOptions = {
  sheet?: string | undefined;
  /** An ONIX message is read, too. */
  takesOnix?: boolean;
};

/** The table of a file, the sheets to choose from, or why it is none, in a sentence. Only now its reader is downloaded, and it works beside the page. */
export async function openBookTable(
  file: File,
  columns: readonly KnownColumn[],
  { sheet, takesOnix = false }: OpenOptions = {},
): Promise<OpenedTable> {
  if (file.size > MAX_MEGABYTES * 1024 * 1024) {
    return { problem: `The file is larger than ${MAX_MEGABYTES} MB. Split it and import the parts.` };
  }
  const start = new Uint8Array(await file.slice(0, ONIX_START_BYTES).arrayBuffer());
  const worker =
    takesOnix && (isOnix(start) || (isArchive(start) && (await openPackedOnix(file, MOST_UNPACKED))))
      ? new Worker(new URL("./onix.worker.ts", import.meta.url), { type: "module" })
      : new Worker(new URL("./book-table.worker.ts", import.meta.url), { type: "module" });
  try {
    const opened = await new Promise<OpenedTable>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => reject(new Error("The reader of tables did not start"));
      worker.postMessage({ file, columns, sheet } satisfies ReadRequest);
    });
    const rows = "table" in opened ? opened.table.rows.length : 0;
    if (rows <= MAX_ROWS_AT_ONCE) return opened;
    return {
      problem: `The file has ${rows.toLocaleString("en-GB")} rows. Split it into files of at most ${MAX_ROWS_AT_ONCE.toLocaleString("en-GB")}.`,
    };
  } finally {
    worker.terminate();
  }
}
