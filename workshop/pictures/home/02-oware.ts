import { covers, faceBook, openBook, pencil, ruler } from "../lib/books.ts";
import { bars } from "../lib/cloth.ts";
import { clay, cream, gold, green, honey, ink, leaf, mint, sand, umber } from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { chance, circle, ellipse, path, place, rect, svg, times } from "../lib/svg.ts";

const seeds = (x: number, y: number, count: number, seed: number) => {
  const luck = chance(seed);
  return times(count, () =>
    circle(x + luck.between(-26, 26), y + luck.between(-16, 20), 11, luck.of([mint, honey, sand, "#7fae95"])),
  );
};

export const picture: Picture = {
  name: "mathematics",
  alt: "An oware board with its seeds beside a mathematics book, a ruler and a pencil.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, green),
      bars(0, 0, 1200, 800, 40, 2, leaf, 0.55),
      times(31, (index) => rect(index * 40, 0, 2, 800, leaf, { opacity: 0.55 })),
      place({ x: 812, y: 40, turn: 9 }, faceBook(0, 0, 300, covers.clay, 8)),
      place(
        { x: 300, y: 92, turn: -7 },
        rect(-214, 16, 440, 196, ink, { opacity: 0.2 }),
        openBook(0, 0, 430, gold),
      ),
      ruler(60, 372, 520, 54, honey, -3),
      place(
        { x: 120, y: 452, turn: 3 },
        rect(8, 18, 960, 270, ink, { opacity: 0.25, r: 120 }),
        rect(0, 0, 960, 270, umber, { r: 120 }),
        rect(0, 0, 960, 250, "#84562f", { r: 116 }),
        times(6, (index) => {
          const x = 150 + index * 132;
          return (
            ellipse(x, 76, 55, 46, "#4c2d13") +
            ellipse(x, 82, 50, 38, "#5f3a1a") +
            seeds(x, 80, [4, 3, 6, 2, 5, 4][index] ?? 4, 7 + index) +
            ellipse(x, 182, 55, 46, "#4c2d13") +
            ellipse(x, 188, 50, 38, "#5f3a1a") +
            seeds(x, 186, [2, 5, 4, 6, 3, 1][index] ?? 3, 31 + index)
          );
        }),
        rect(46, 106, 44, 44, "#4c2d13", { r: 8 }),
        rect(880, 106, 44, 44, "#4c2d13", { r: 8 }),
      ),
      pencil(700, 420, 340, 26, clay, -24),
      path("M1000 776h170v-170zM1138 744h-62l62-62z", cream),
    ),
};
