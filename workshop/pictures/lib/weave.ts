import {
  ACCENT_EVERY,
  type ClothParts,
  type Field,
  isNarrow,
  isOfFirst,
  type Threads,
  threadsOf,
} from "#app/features/book-covers/cover-cloth.ts";

/** Side of a block, in units of a cover's 240 × 320 box. */
const block = 40;

const stairs = "v40h40v-10h-10v-10h-10v-10h-10v-10z";
const stairsFromRight = "m40 0v40h-40v-10h10v-10h10v-10h10v-10z";

/** Steps and weaves: they fill whole blocks and take turns. */
const motifs = [
  // stepped diamond
  "m15 0h10v5h5v5h5v5h5v10h-5v5h-5v5h-5v5h-10v-5h-5v-5h-5v-5h-5v-10h5v-5h5v-5h5z",
  stairs,
  // hourglass in steps
  "h40v5h-5v5h-5v5h-5v10h5v5h5v5h5v5h-40v-5h5v-5h5v-5h5v-10h-5v-5h-5v-5h-5z",
  // weft bars
  "h40v5h-40zm0 10h40v5h-40zm0 10h40v5h-40zm0 10h40v5h-40z",
  // chequers
  "h10v10h10v-10h10v10h10v10h-10v10h10v10h-10v-10h-10v10h-10v-10h-10v-10h10v-10h-10z",
  // the winding road, twice
  "m0 15 10-10 10 10 10-10 10 10v8l-10-10-10 10-10-10-10 10zm0 17 10-10 10 10 10-10 10 10v8l-10-10-10 10-10-10-10 10z",
  // warp threads
  "m5 0h5v40h-5zm12.5 0h5v40h-5zm12.5 0h5v40h-5z",
  // shuttle: a long stepped lozenge
  "m0 15h10v-5h5v-5h10v5h5v5h10v10h-10v5h-5v5h-10v-5h-5v-5h-10z",
];

/** Single symbols, in the manner of stamped cloth. */
const stamps = [
  // rings
  "m20 4a16 16 0 1 0 .1 0zm0 5a11 11 0 1 1-.1 0zm0 5a6 6 0 1 0 .1 0z",
  // fenced house
  "m5 5h30v30h-30zm5 5v20h20v-20zm5 5h10v10h-10z",
  // four seeds
  "m6 6h11v11h-11zm17 0h11v11h-11zm0 17h11v11h-11zm-17 0h11v11h-11z",
  // stepped cross
  "m15 5h10v5h5v5h5v10h-5v5h-5v5h-10v-5h-5v-5h-5v-10h5v-5h5zm2.5 12.5v5h5v-5z",
  // open book
  "m20 12q-7-5-15-4v22q8-1 15 4 7-5 15-4v-22q-8-1-15 4z",
  // star of eight
  "m20 3 4 9 9-5-5 9 9 4-9 4 5 9-9-5-4 9-4-9-9 5 5-9-9-4 9-4-5-9 9 5z",
];

/** The path data of a cloth's parts: blocks that lie back, then the two motifs and the accent on top of them. */
export function weaveThreads({ first, second, stamp, row: accentRow, mirrored: side }: Threads, field: Field) {
  const cloth: ClothParts = { ground: "", first: "", second: "", accent: "" };
  for (let row = 0; row < field.rows; row++) {
    for (let column = 0; column < field.columns; column++) {
      const mirrored = Math.min(column, field.columns - 1 - column);
      const face = (number: number) => {
        const motif = motifs[number] ?? "";
        // All but the stairs are the same in a mirror.
        return column > mirrored && motif === stairs ? stairsFromRight : motif;
      };
      const start = `M${field.left + column * block} ${field.top + row * block}`;
      const isAccented = (isNarrow(field) ? row % ACCENT_EVERY : row) === accentRow && mirrored === side;
      if (isAccented) cloth.accent += start + stamps[stamp];
      else if (isOfFirst(row, mirrored)) cloth.first += start + face(first);
      else {
        cloth.ground += `${start}h40v40h-40z`;
        cloth.second += start + face(second);
      }
    }
  }
  return cloth;
}

/** The cloth for `columns` × `rows` blocks whose first corner is at `left`, `top`. */
export const weave = (seed: number, field: Field) => weaveThreads(threadsOf(seed, field), field);
