/**
 * The woven field of a generated cover: square blocks in strips, two alternating motifs as in kente, mirrored about
 * the middle, with one accent. It is seeded by the title, so that a book always keeps its cloth. `npm run draw -- cloth`
 * draws the parts of every cloth into one file, to which covers refer: written out, they were a sixth of a page.
 */

/** How many motifs there are for the two threads, and how many for the accent. */
export const MOTIFS = 8;
export const STAMPS = 6;

export type Field = { left: number; top: number; columns: number; rows: number };

/** Where the fields of covers are in their 240 × 320 box, in blocks of 40. */
export const fields = [
  { left: 0, top: 200, columns: 6, rows: 3 },
  { left: 0, top: 0, columns: 6, rows: 2 },
  { left: 16, top: 0, columns: 1, rows: 8 },
] as const satisfies Field[];

/** What a cloth is woven of: numbers of motifs, and where the accent is, counted from the top and from either side. */
export type Threads = { first: number; second: number; stamp: number; row: number; mirrored: number };

/** In a narrow field, which has no sides, the accent returns after as many rows. */
export const ACCENT_EVERY = 4;
export const isNarrow = ({ columns }: Field) => columns < 3;

/** @param seed see `seedOf` */
export function threadsOf(seed: number, field: Field): Threads {
  const first = seed % MOTIFS;
  const other = (seed >>> 5) % (MOTIFS - 1);
  return {
    first,
    second: other < first ? other : other + 1,
    stamp: (seed >>> 10) % STAMPS,
    row: ((seed >>> 14) % field.rows) % ACCENT_EVERY,
    mirrored: isNarrow(field) ? 0 : 1 + ((seed >>> 17) & 1),
  };
}

/** The parts of a cloth, from the back to the front, by their names in the file. */
export type ClothParts = Record<"ground" | "first" | "second" | "accent", string>;

/** @param field its number in `fields` */
export function clothParts(field: number, { first, second, stamp, row, mirrored }: Threads): ClothParts {
  const accented = `${field}${row}${mirrored}`;
  // The accent takes its place from one of the threads; the other is the same wherever the accent is.
  const [ofFirst, ofSecond] = isOfFirst(row, mirrored) ? [accented, field] : [field, accented];
  return {
    ground: `g${ofSecond}`,
    first: `f${ofFirst}${first}`,
    second: `s${ofSecond}${second}`,
    accent: `a${accented}${stamp}`,
  };
}

/** Whether the first thread runs through this block, and not the second. */
export const isOfFirst = (row: number, mirrored: number) => (row + mirrored) % 2 === 0;

/** A number between 0 and 2³² that depends on every letter of the text (FNV-1a, then mixed). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
