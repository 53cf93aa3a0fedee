/**
 * The woven field of a generated cover: square blocks in strips, two alternating motifs as in kente, mirrored about
 * the middle, with one accent. It is seeded by the title, so that a book always keeps its cloth.
 */

/** Side of a block, in units of the cover's 240 × 320 box. */
const block = 40;

export interface Cloth {
  /** Path data by layer, in moves from block to block, which compress better than places: blocks that lie back, then the two motifs and the accent on top of them. */
  ground: string;
  first: string;
  second: string;
  accent: string;
}

const stairs = "v40h40v-10h-10v-10h-10v-10h-10v-10z";
const stairsFromRight = "m40 0v40h-40v-10h10v-10h10v-10h10v-10zm-40 0";

/** Steps and weaves: they fill whole blocks and take turns. Each ends where it began. */
const weaves = [
  // stepped diamond
  "m15 0h10v5h5v5h5v5h5v10h-5v5h-5v5h-5v5h-10v-5h-5v-5h-5v-5h-5v-10h5v-5h5v-5h5zm-15 0",
  stairs,
  // hourglass in steps
  "h40v5h-5v5h-5v5h-5v10h5v5h5v5h5v5h-40v-5h5v-5h5v-5h5v-10h-5v-5h-5v-5h-5z",
  // weft bars
  "h40v5h-40zm0 10h40v5h-40zm0 10h40v5h-40zm0 10h40v5h-40zm0-30",
  // chequers
  "h10v10h10v-10h10v10h10v10h-10v10h10v10h-10v-10h-10v10h-10v-10h-10v-10h10v-10h-10z",
  // the winding road, twice
  "m0 15 10-10 10 10 10-10 10 10v8l-10-10-10 10-10-10-10 10zm0 17 10-10 10 10 10-10 10 10v8l-10-10-10 10-10-10-10 10zm0-32",
  // warp threads
  "m5 0h5v40h-5zm12.5 0h5v40h-5zm12.5 0h5v40h-5zm-30 0",
  // shuttle: a long stepped lozenge
  "m0 15h10v-5h5v-5h10v5h5v5h10v10h-10v5h-5v5h-10v-5h-5v-5h-10zm0-15",
];

/** Single symbols, in the manner of stamped cloth. Each ends where it began. */
const stamps = [
  // rings
  "m20 4a16 16 0 1 0 .1 0zm0 5a11 11 0 1 1-.1 0zm0 5a6 6 0 1 0 .1 0zm-20-14",
  // fenced house
  "m5 5h30v30h-30zm5 5v20h20v-20zm5 5h10v10h-10zm-15-15",
  // four seeds
  "m6 6h11v11h-11zm17 0h11v11h-11zm0 17h11v11h-11zm-17 0h11v11h-11zm-6-23",
  // stepped cross
  "m15 5h10v5h5v5h5v10h-5v5h-5v5h-10v-5h-5v-5h-5v-10h5v-5h5zm2.5 12.5v5h5v-5zm-17.5-17.5",
  // open book
  "m20 12q-7-5-15-4v22q8-1 15 4 7-5 15-4v-22q-8-1-15 4zm-20-12",
  // star of eight
  "m20 3 4 9 9-5-5 9 9 4-9 4 5 9-9-5-4 9-4-9-9 5 5-9-9-4 9-4-5-9 9 5zm-20-3",
];

/** The cloth for `columns` × `rows` blocks whose first corner is at `left`, `top`. */
export function weave(
  seed: number,
  field: { left: number; top: number; columns: number; rows: number },
): Cloth {
  const first = pick(weaves, seed);
  const second = pick(
    weaves.filter((motif) => motif !== first),
    seed >>> 5,
  );
  const stamp = pick(stamps, seed >>> 10);
  const accentRow = (seed >>> 14) % field.rows;
  const narrow = field.columns < 3;
  const cloth: Cloth = { ground: "", first: "", second: "", accent: "" };
  const last: Partial<Record<keyof Cloth, readonly [x: number, y: number]>> = {};
  const put = (layer: keyof Cloth, x: number, y: number, motif: string) => {
    const from = last[layer];
    cloth[layer] += (from ? `m${x - from[0]},${y - from[1]}` : `M${x},${y}`) + motif;
    last[layer] = [x, y];
  };
  for (let row = 0; row < field.rows; row++) {
    for (let column = 0; column < field.columns; column++) {
      const mirrored = Math.min(column, field.columns - 1 - column);
      const right = column > mirrored;
      const x = field.left + column * block;
      const y = field.top + row * block;
      const accented = narrow
        ? row % 4 === accentRow % 4
        : row === accentRow && mirrored === 1 + ((seed >>> 17) & 1);
      if (accented) put("accent", x, y, stamp);
      else if ((row + mirrored) % 2 === 0) put("first", x, y, face(first, right));
      else {
        put("ground", x, y, "h40v40h-40z");
        put("second", x, y, face(second, right));
      }
    }
  }
  return cloth;
}

/** The motif as the right half of the field shows it; all but the stairs are the same in a mirror. */
function face(motif: string, right: boolean): string {
  return right && motif === stairs ? stairsFromRight : motif;
}

/** A number between 0 and 2³² that depends on every letter of the text (FNV-1a, then mixed). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function pick<Item>(list: readonly Item[], number: number): Item {
  return list[number % list.length] as Item;
}
