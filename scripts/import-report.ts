import type { BookImportNote } from "#app/office/catalogue/book-import/book-import.ts";
import { countOthers, type NoteGroups } from "#app/office/catalogue/book-import/import-notes.ts";
import { countOf } from "#shared/text/count-of.ts";

/** Where the import reports its progress, in lines for people. */
export interface Reporter {
  line(text: string): void;
  /** How far it is; each call replaces the one before. */
  progress(text: string): void;
}

/** More lines of one kind say nothing new. */
export const longestList = 20;

/** Where no terminal shows progress, a line of a log now and then. */
const LOG_EVERY_MS = 30_000;

/** On a terminal progress stays in one line. */
export function reportOnConsole(): Reporter {
  const { stderr } = process;
  let loggedAt = performance.now();
  return {
    line: (text) => console.log(text),
    progress: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001b[K${text}\r`);
      else if (performance.now() - loggedAt > LOG_EVERY_MS) {
        loggedAt = performance.now();
        stderr.write(`${text}\n`);
      }
    },
  };
}

/** Says how many rows of how many are done, how fast, and how long the others will take. */
export function startPace(
  total: number,
  before = 0,
  now = () => performance.now(),
): (done: number) => string {
  const started = now();
  return (done) => {
    const seconds = (now() - started) / 1000;
    const rate = (done - before) / Math.max(seconds, 0.001);
    const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : "";
    return `${done.toLocaleString("en-GB")} of ${countOf(total, "row")}, ${Math.round(rate).toLocaleString("en-GB")} a second${left}`;
  };
}

function duration(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** Prints notes on how rows were read, one line per different note. */
export function describeNotes(notes: NoteGroups, report: Reporter): void {
  if (notes.count === 0) return;
  report.line(`${countOf(notes.count, "note")}:`);
  for (const { line, message, rows } of notes.first)
    report.line(
      `  line ${line}${rows > 1 ? ` and ${countOf(rows - 1, "more row", "more rows")}` : ""}: ${message}`,
    );
  const others = countOthers(notes);
  if (others > 0) report.line(`  … and ${others.toLocaleString("en-GB")} more`);
}

/** Problems of rows: how many there are, and the first of them. */
export class ProblemSample {
  count = 0;
  readonly #first: BookImportNote[] = [];

  add(note: BookImportNote): void {
    this.count += 1;
    if (this.#first.length < longestList) this.#first.push(note);
  }

  describe(heading: (count: number) => string, report: Reporter): void {
    if (this.count === 0) return;
    report.line(`${heading(this.count)}:`);
    for (const { line, message } of this.#first) report.line(`  line ${line}: ${message}`);
    if (this.count > this.#first.length) report.line(`  … and ${this.count - this.#first.length} more`);
  }
}
