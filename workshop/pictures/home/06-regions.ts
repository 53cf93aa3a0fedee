import { lyingBook } from "../lib/books.ts";
import { cloth, lozenge, type Threads } from "../lib/cloth.ts";
import {
  clay,
  cream,
  gold,
  green,
  greenDeep,
  honey,
  ink,
  leaf,
  mint,
  paper,
  sand,
  sky,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, line, place, rect, svg, times } from "../lib/svg.ts";

/** The sixteen regions as tiles: column (halves shift a row, as strips do) and row, north at the top. */
const regions: readonly (readonly [number, number])[] = [
  [0.5, 0],
  [1.5, 0],
  [2.5, 0],
  [1, 1],
  [2, 1],
  [0.5, 2],
  [1.5, 2],
  [2.5, 2],
  [0, 3],
  [1, 3],
  [2, 3],
  [3, 3],
  [0.5, 4],
  [1.5, 4],
  [2.5, 4],
  [1, 5],
];
const tile = 124;
const weaves: Threads[] = [
  { ground: green, shade: leaf, first: mint, second: "#5fa384", accent: gold },
  { ground: "#8f3420", shade: "#b85638", first: "#f6d6c9", second: "#d18a72", accent: gold },
  { ground: greenDeep, shade: green, first: leaf, second: "#5fa384", accent: honey },
  { ground: "#1b5280", shade: "#3a7bad", first: "#b4d3ea", second: "#6da0c7", accent: gold },
];

const middle = ([column, row]: readonly [number, number]) =>
  [372 + (column + 0.5) * tile, 20 + (row + 0.5) * tile] as const;

export const picture: Picture = {
  name: "sixteen-regions",
  alt: "Ghana as sixteen woven tiles, one for each region, joined by a golden thread that starts at the coast.",
  width: 1200,
  height: 800,
  draw: () => {
    const route = [14, 15, 13, 12, 8, 9, 10, 11, 7, 6, 5, 3, 0, 1, 2, 4].map((index) =>
      middle(regions[index] ?? [0, 0]),
    );
    return svg(
      1200,
      800,
      rect(0, 0, 1200, 800, cream),
      times(20, (index) => rect(0, index * 40, 1200, 2, sand, { opacity: 0.7 })),
      rect(0, 722, 1200, 78, sky),
      times(15, (index) => line(`M${-10 + index * 84} 756l21 -12l21 12l21 -12l21 12`, "#6da0c7", 5)),
      regions
        .map((region, index) => {
          const [x, y] = middle(region);
          const threads = weaves[(index * 7 + Math.floor(index / 5)) % 4];
          const left = x - tile / 2 + 4;
          const top = y - tile / 2 + 4;
          return (
            rect(left + 4, top + 6, tile - 8, tile - 8, ink, { opacity: 0.16 }) +
            cloth(left, top, 3, 3, (tile - 8) / 3, 40 + index * 13, threads)
          );
        })
        .join(""),
      line(`M${route.map((point) => point.join(" ")).join("L")}`, ink, 13, { opacity: 0.25 }),
      line(`M${route.map((point) => point.join(" ")).join("L")}`, gold, 8),
      route
        .map(
          ([x, y], index) =>
            circle(x, y, index === 0 ? 24 : 14, index === 0 ? gold : paper) +
            circle(x, y, index === 0 ? 13 : 7, index === 0 ? greenDeep : gold),
        )
        .join(""),
      place(
        { x: 60, y: 520 },
        lyingBook(0, 150, 230, 40, green),
        lyingBook(18, 110, 206, 40, clay, true),
        lyingBook(6, 70, 214, 40, gold),
        lyingBook(30, 30, 180, 40, sky),
      ),
      lozenge(180, 497, 38, clay),
      place(
        { x: 1060, y: 150 },
        circle(0, 0, 84, paper),
        circle(0, 0, 84, "none", { stroke: ink, strokeWidth: 5 }),
        lozenge(0, 0, 60, honey),
        line("M0 0V-62", clay, 14),
        line("M0 0V62", ink, 14),
        circle(0, 0, 10, paper),
      ),
    );
  },
};
