/** A comma between two names, not one before 'Jr'. */
const COMMA = /,(?!\s*(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d)\b)/i;
const AND = /(?:^|\s)(?:and|&)\s+/;

/**
 * The names in a book's line of authors, which staff and suppliers write in many ways: 'A. Mensah, K. Owusu and
 * E. Addo', 'Mensah, Ama; Owusu, Kofi'. A single word before the only comma is read as a surname.
 */
export function splitAuthors(line: string): string[] {
  const parts = line.includes(";") || /^\s*\S+,[^,]+$/.test(line) ? line.split(";") : line.split(COMMA);
  const names = parts.flatMap((part) => part.split(AND)).map((name) => name.trim());
  return [...new Set(names)].filter(
    (name) => /[\p{L}\p{N}]/u.test(name) && !/^(?:et al|others)\.?$/i.test(name),
  );
}
