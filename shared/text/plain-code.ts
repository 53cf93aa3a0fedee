/** Marks that chat apps, PDFs and spreadsheets put into what is copied from them, and that nobody sees. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ufe0e\ufe0f]/g;
const HYPHENS = /[\u058a\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]/g;

/**
 * A code as a keyboard would have typed it: hyphens of every kind and wide digits as plain ones, single spaces, no
 * invisible marks. ISBNs, phone numbers and digital addresses are read from this. `private.plain_code` in the database
 * is the same rule; tests check both against the same spellings.
 */
export function plainCode(text: string): string {
  return text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(HYPHENS, "-")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
