/** What a barcode scanner or a person typed: a book's code, and copies if a number follows '×'. Without a code it is about the book scanned last. */
export type TypedScan = { code: string | null; copies: number | null };

const withCopies = /^(.*?)\s*(?:[×*]|(?<=^|\s)x(?=\s))\s*(\d{1,6})$/i;

/** '978… × 12', '978… * 12', '978… x 12', '× 12' or a code alone; null when there is nothing. */
export function readScan(typed: string): TypedScan | null {
  const text = typed.trim();
  if (text === "") return null;
  const found = withCopies.exec(text);
  if (!found) return { code: text, copies: null };
  return { code: found[1]?.trim() || null, copies: Number(found[2]) };
}

/** Copies typed into a line; null for anything else, such as a code from a scanner. */
export function readCopies(typed: string): number | null {
  return /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : null;
}

/** The codes of pasted lines: each line's first cell. */
export function readCodes(pasted: string): string[] {
  return pasted
    .split(/\r?\n/)
    .map((line) => (line.split(/[\t,;]/)[0] ?? "").trim())
    .filter((code) => code !== "");
}

/** '+3', '−2' or '0' */
export const signedCopies = (copies: number): string =>
  `${copies > 0 ? "+" : copies < 0 ? "−" : ""}${Math.abs(copies).toLocaleString("en-GB")}`;
