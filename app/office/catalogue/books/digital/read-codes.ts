/** The longest code that the database accepts. */
const LONGEST = 200;
/** Codes in a call. */
const BATCH = 1_000;
/** Lines and codes named in a message. */
const NAMED = 5;

export type ReadCodes = {
  /** Each once, in their order. */
  codes: string[];
  /** Codes that occur more than once in the text. */
  duplicates: string[];
  /** Why the text can't be added; null if it is valid. */
  problem: string | null;
};

/** Leading and trailing spaces, invisible ones from copying too, and a spreadsheet's quotation marks. */
const clean = (line: string): string =>
  line
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();

/** The codes of a pasted text or a spreadsheet's column, one per line. */
export function readCodes(text: string): ReadCodes {
  const lines = text.split(/\r\n|\n|\r/).map((line) => clean(line.replace(/\t+$/, "")));
  const seen = new Map<string, number>();
  for (const line of lines) if (line) seen.set(line, (seen.get(line) ?? 0) + 1);
  const linesWhere = (isWrong: (line: string) => boolean) =>
    lines.flatMap((line, index) => (isWrong(line) ? index + 1 : []));
  const wide = linesWhere((line) => line.includes("\t"));
  const long = linesWhere((line) => line.length > LONGEST);
  return {
    codes: [...seen.keys()],
    duplicates: [...seen].flatMap(([code, times]) => (times > 1 ? code : [])),
    problem:
      wide.length > 0
        ? `Paste one column: ${named(wide)} more than one.`
        : long.length > 0
          ? `A code has at most ${LONGEST} characters: ${named(long)} more.`
          : null,
  };
}

function named(lines: number[]): string {
  const shown = listOf(lines.map(String));
  return lines.length === 1 ? `line ${shown} has` : `lines ${shown} have`;
}

/** 'A, B and 3 more' */
export function listOf(texts: readonly string[]): string {
  const left = texts.length - NAMED;
  const shown = left > 0 ? [...texts.slice(0, NAMED), `${left} more`] : texts;
  return new Intl.ListFormat("en-GB").format(shown);
}

/** Batches of at most as many codes as one call accepts. */
export function batchesOf(codes: readonly string[]): string[][] {
  const batches = Math.ceil(codes.length / BATCH);
  return Array.from({ length: batches }, (_, at) => codes.slice(at * BATCH, (at + 1) * BATCH));
}
