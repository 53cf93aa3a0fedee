/** The code in a list's address: ten of 32 characters, without I, L, O and U. private.booklist_code is the database's half. */

const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** Spaces, hyphens, dashes and the minus sign, also invisible ones: chats and word processors replace a typed hyphen. */
const SEPARATORS = /[\s\u00AD\u200B-\u2015\u202A-\u202F\u2060\u2212\uFE58\uFE63\uFF0D-]+/g;

/** A typed code as it is stored: in any case, with separators, O read as 0 and I or L as 1; null when it cannot be one. */
export function parseBooklistCode(typed: string): string | null {
  const code = typed
    .slice(0, 100)
    .replace(SEPARATORS, "")
    .toUpperCase()
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return CODE.test(code) ? code : null;
}
