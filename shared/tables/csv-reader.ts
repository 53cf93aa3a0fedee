/**
 * Reads tables as other people's programs and hands write them. Unlike a strict parser it never gives up and never loses
 * a row: a quotation mark that was not meant as one stays in its row, and only that row is reported.
 */

export type Delimiter = "," | ";" | "\t";

export type CsvRow = {
  /** Where the row begins, counted from 1; CRLF, LF and CR each end a line. */
  line: number;
  cells: string[];
  /** A quotation mark opens in this row and never closes: its cells are split as if there were none. */
  brokenQuotes: boolean;
};

/** A longer cell was not meant to be one; the longest of our own exports is a description between apostrophes. */
const MAX_LENGTH = 100_000;

const LINE_END = /\r\n|\r|\n/g;

/** What makes a semicolon the end of an escaped character, as in 'Schofield &amp; Sims', and not of a cell. */
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|[rl][sd]quo|[nm]dash|#\d{1,5}|#x[\da-f]{1,4})$/i;

/** How rows are read: from which line of the file, and how many cells one should have. */
type CsvOptions = { line?: number; width?: number };

/** All rows but empty ones. */
export function* readCsv(
  text: string,
  delimiter: Delimiter,
  { line = 1, width = 0 }: CsvOptions = {},
): Generator<CsvRow> {
  yield* readRows({ text, line }, delimiter, width, 0);
}

/** The most characters that are looked at to see where a row ends. */
const LONGEST_ROW = 1_000_000;

/** The same of a text that arrives in pieces, of which hardly more than `LONGEST_ROW` characters are held. */
export async function* readCsvPieces(
  pieces: AsyncIterable<string>,
  delimiter: Delimiter,
  { line = 1, width = 0 }: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const rest: Unread = { text: "", line };
  for await (const piece of pieces) {
    rest.text += piece;
    yield* readRows(rest, delimiter, width, LONGEST_ROW);
  }
  yield* readRows(rest, delimiter, width, 0);
}

/** What has not been read yet, and the line of the file where it begins. */
type Unread = { text: string; line: number };

/** Takes rows from the start of a text as long as more than `untouched` characters are left. */
function* readRows(
  unread: Unread,
  delimiter: Delimiter,
  width: number,
  untouched: number,
): Generator<CsvRow> {
  const { text } = unread;
  let { line } = unread;
  let at = 0;
  while (text.length - at > untouched) {
    const row = readRow(text, at, delimiter, width);
    if (row.cells.some((cell) => cell.trim() !== "")) {
      yield { line, cells: row.cells, brokenQuotes: row.brokenQuotes };
    }
    line += row.lines;
    at = row.end;
  }
  unread.text = text.slice(at);
  unread.line = line;
}

type ReadRow = { cells: string[]; brokenQuotes: boolean; lines: number; end: number };

function readRow(text: string, start: number, delimiter: Delimiter, width: number): ReadRow {
  const quoted = readQuotedRow(text, start, delimiter);
  if (quoted?.lines === 1) return quoted;
  const plain = readPlainRow(text, start, delimiter);
  if (quoted === null) return plain;
  // The first line is complete on its own; if the last is too, the quotation mark would swallow the lines in between.
  const isComplete = (line: string) => width > 1 && splitLine(line, delimiter).length === width;
  const lastLine =
    text
      .slice(start, quoted.end)
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1) ?? "";
  const fits = quoted.cells.length === width && !isComplete(lastLine);
  return fits || plain.cells.length !== width ? quoted : plain;
}

/** The row up to its line end, quotation marks as any other character. */
function readPlainRow(text: string, start: number, delimiter: Delimiter): ReadRow {
  const { content, next } = lineAt(text, start);
  return { cells: splitLine(content, delimiter), brokenQuotes: true, lines: 1, end: next };
}

function splitLine(line: string, delimiter: Delimiter): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const cell = readPlainCell(line, at, delimiter);
    cells.push(cell.content);
    at = cell.end + 1;
  }
  return cells;
}

/** The row with its quoted cells; null when one never closes. */
function readQuotedRow(text: string, start: number, delimiter: Delimiter): ReadRow | null {
  const cells: string[] = [];
  let lines = 1;
  let at = start;
  for (;;) {
    const opening = /^ *"/.exec(text.slice(at, at + 20));
    const cell = opening
      ? readQuotedCell(text, at + opening[0].length, delimiter)
      : readPlainCell(text, at, delimiter);
    if (cell === null) return null;
    cells.push(cell.content);
    lines += cell.breaks;
    at = cell.end;
    if (text[at] === delimiter) at += 1;
    else return { cells, brokenQuotes: false, lines, end: at + lineEndLength(text, at) };
  }
}

type ReadCell = { content: string; breaks: number; end: number };

function readPlainCell(text: string, start: number, delimiter: Delimiter): ReadCell {
  let end = start;
  while (end < text.length && text[end] !== "\r" && text[end] !== "\n") {
    if (
      text[end] === delimiter &&
      !(delimiter === ";" && ENTITY.test(text.slice(Math.max(start, end - 8), end)))
    )
      break;
    end += 1;
  }
  return { content: text.slice(start, end), breaks: 0, end };
}

/**
 * A cell after its opening quotation mark. It closes at a mark before a delimiter or the end of the line. Marks
 * inside are doubled; in a cell of one line single ones are taken as they are, in a longer one they show that the
 * cell was not meant to go on.
 */
function readQuotedCell(text: string, start: number, delimiter: Delimiter): ReadCell | null {
  let content = "";
  let single = false;
  let from = start;
  for (;;) {
    const mark = text.indexOf('"', from);
    if (mark === -1 || mark - start > MAX_LENGTH) return null;
    content += text.slice(from, mark);
    if (text[mark + 1] === '"') {
      content += '"';
      from = mark + 2;
      continue;
    }
    let end = mark + 1;
    while (text[end] === " ") end += 1;
    if (end >= text.length || text[end] === delimiter || text[end] === "\r" || text[end] === "\n") {
      const breaks = content.match(LINE_END)?.length ?? 0;
      if (single && breaks > 0) return null;
      return { content: content.replace(LINE_END, "\n"), breaks, end };
    }
    single = true;
    content += '"';
    from = mark + 1;
  }
}

/** The line at a position, without its line end, and where the next one starts. */
export function lineAt(text: string, start: number): { content: string; next: number } {
  LINE_END.lastIndex = start;
  const end = LINE_END.exec(text)?.index ?? text.length;
  return { content: text.slice(start, end), next: end + lineEndLength(text, end) };
}

function lineEndLength(text: string, at: number): number {
  if (text[at] === "\r" && text[at + 1] === "\n") return 2;
  return at < text.length ? 1 : 0;
}
