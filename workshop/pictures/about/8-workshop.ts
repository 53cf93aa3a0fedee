import { pencil, stack } from "../lib/books.ts";
import { bars, cloth } from "../lib/cloth.ts";
import {
  clay,
  gold,
  green,
  greenDeep,
  haze,
  honey,
  ink,
  leaf,
  mint,
  paper,
  sand,
  skins,
  sky,
  umber,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, ellipse, line, type Paint, path, place, rect, svg, times } from "../lib/svg.ts";

/** Somebody at the table seen from above, facing down the picture before turning. */
const above = (x: number, y: number, turn: number, top: Paint, skin: Paint, head: string) =>
  place(
    { x, y, turn },
    line("M-58 6L-64 66L-24 104", skin, 24) + line("M58 6L64 66L24 104", skin, 24),
    circle(-24, 106, 15, skin) + circle(24, 106, 15, skin),
    ellipse(0, 0, 82, 42, top),
    line("M-58 6L-63 44", top, 34) + line("M58 6L63 44", top, 34),
    circle(0, 12, 36, skin),
    head,
  );
const cropped = circle(0, 4, 37, "#17130f");
const puffs = circle(0, 4, 36, "#17130f") + circle(-34, -14, 18, "#17130f") + circle(34, -14, 18, "#17130f");
const round = circle(0, 0, 48, "#17130f");
const wrap = (paint: Paint, band: Paint) =>
  circle(0, 2, 42, paint) +
  path("M-40 -8Q0 -40 40 -8M-42 8Q0 -20 42 8", "none", { stroke: band, strokeWidth: 6 }) +
  circle(0, -30, 16, paint);

const openAbove = (x: number, y: number, turn: number, cover: Paint) =>
  place(
    { x, y, turn },
    rect(-72, -50, 144, 100, cover, { r: 5 }),
    rect(-66, -45, 64, 90, paper),
    rect(2, -45, 64, 90, paper),
    bars(-56, -30, 44, 66, 14, 4, sand),
    bars(12, -30, 44, 66, 14, 4, sand),
  );

const sheet = (x: number, y: number, turn: number) =>
  place(
    { x, y, turn },
    rect(-38, -50, 76, 100, paper),
    bars(-26, -34, 52, 70, 15, 4, haze),
    rect(-26, -34, 24, 5, leaf),
  );

export const picture: Picture = {
  name: "workshop",
  alt: "A teachers' workshop seen from above: eight people round a long table covered with books and notes.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, clay),
      times(8, (row) =>
        times(7, (column) =>
          rect(
            column * 200 - (row % 2) * 100,
            row * 100,
            196,
            96,
            (row + column) % 3 ? "#9a381e" : "#a9442a",
          ),
        ),
      ),
      rect(160, 268, 900, 300, ink, { opacity: 0.25, r: 40 }),
      [300, 520, 740, 940]
        .map(
          (x) =>
            rect(x - 62, 118, 124, 90, greenDeep, { r: 22 }) +
            rect(x - 62, 606, 124, 90, greenDeep, { r: 22 }),
        )
        .join(""),
      rect(150, 250, 900, 300, umber, { r: 40 }),
      rect(150, 250, 900, 288, "#84562f", { r: 40 }),
      cloth(180, 364, 21, 1, 40, 38),
      openAbove(300, 320, 4, green) +
        openAbove(740, 318, -6, sky) +
        openAbove(520, 478, 185, gold) +
        openAbove(930, 482, 176, green),
      sheet(520, 322, -8) + sheet(930, 320, 10) + sheet(300, 480, 172) + sheet(740, 478, 186),
      pencil(574, 300, 96, 10, clay, 64) +
        pencil(352, 500, 96, 10, leaf, -40) +
        pencil(800, 480, 96, 10, gold, 250),
      stack(600, 440, 90, 1, 60, 3, [leaf]) +
        rect(606, 330, 88, 116, green, { r: 4 }) +
        place(
          { x: 612, y: 336, turn: 5 },
          rect(0, 0, 84, 110, clay, { r: 4 }),
          rect(12, 20, 50, 8, paper),
          rect(12, 36, 36, 8, paper),
          rect(0, 78, 84, 16, gold),
        ),
      circle(440, 400, 26, paper) +
        circle(440, 400, 19, umber) +
        circle(850, 400, 26, paper) +
        circle(850, 400, 19, umber),
      above(300, 190, 0, gold, skins[0], wrap(green, honey)) +
        above(520, 186, 3, mint, skins[2], cropped) +
        above(740, 190, -2, paper, skins[1], puffs) +
        above(940, 188, 2, sky, skins[3], cropped),
      above(300, 622, 180, leaf, skins[3], cropped) +
        above(520, 618, 177, paper, skins[0], round) +
        above(740, 622, 182, gold, skins[2], wrap(clay, honey)) +
        above(940, 620, 178, green, skins[1], puffs),
    ),
};
