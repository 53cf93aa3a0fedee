import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BookTable, BookTableProblem, readBookTable } from "#app/features/books/book-table.ts";
import { rowsLeftOutName } from "#app/features/books/rows-left-out.ts";
import { CommandError } from "./command.ts";

/** More is not a list of books; it is read into memory whole. */
const MOST_MEGABYTES = 100;

/**
 * Reads a CSV file as the back office does.
 * @throws CommandError in one line when it is missing, too large or not a table
 */
export async function readBookFile(path: string): Promise<BookTable> {
  try {
    const { size } = await stat(path);
    if (size > MOST_MEGABYTES * 1024 * 1024) {
      throw new CommandError(`${path} is larger than ${MOST_MEGABYTES} MB. Split it and import the parts.`);
    }
    return readBookTable(await readFile(path));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof BookTableProblem) throw new CommandError(error.message);
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/**
 * Writes the rows left out beside their file, never over another file.
 * @returns where they are
 * @throws CommandError when nothing can be written there
 */
export async function writeRowsLeftOut(path: string, content: string): Promise<string> {
  const target = join(dirname(path), rowsLeftOutName(basename(path)));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? target : target.replace(/\.csv$/, `-${number}.csv`);
    try {
      await writeFile(free, content, { flag: "wx" });
      return free;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") throw new CommandError(`${free} cannot be written (${code}).`);
    }
  }
}
