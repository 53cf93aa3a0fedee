import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CsvError, type InfoRecord, parse } from "csv-parse";
import { bookTableOptions, explainTableFailure, NOT_UTF8 } from "#app/features/books/book-table.ts";
import { CommandError } from "./command.ts";

/** One row of a table, with the line of the file on which it begins, counted from 1. */
export interface FileRow {
  line: number;
  cells: string[];
}

/**
 * Reads a CSV file row by row, without ever holding all of it. Commas, semicolons and tabs separate cells; empty rows
 * are passed over.
 * @throws CommandError in one line when the file is missing, is not UTF-8, or its quotation marks do not match
 */
export async function* readBookFile(path: string): AsyncGenerator<FileRow> {
  const parser = parse(bookTableOptions(await readFirstLine(path)));
  const reading = pipeline(createReadStream(path), utf8Only(), parser);
  // The same failure comes out of the parser below; it must not be reported a second time as unhandled.
  reading.catch(() => {});

  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      if (record.some((cell) => cell.trim() !== "")) yield { line, cells: record };
      line = info.lines + 1;
    }
  } catch (error) {
    throw new CommandError(explain(error as CsvError, line));
  }
}

async function readFirstLine(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(65_536) });
      if (bytesRead === 0) throw new CommandError(`${path} is empty.`);
      return (
        buffer
          .subarray(0, bytesRead)
          .toString("utf8")
          .split(/[\r\n]/, 1)[0] ?? ""
      );
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Passes text on and fails at the first byte that is none: a table in another encoding would lose its accents. */
function utf8Only(): Transform {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (bytes: Buffer | undefined) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new CommandError(NOT_UTF8);
    }
  };
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        done(null, decode(bytes));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        done(null, decode(undefined));
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function explain(error: CsvError, line: number): string {
  if (error instanceof CommandError) return error.message;
  return explainTableFailure(error, line);
}
