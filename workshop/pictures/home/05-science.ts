import { stack } from "../lib/books.ts";
import { bars, lozenge, rings } from "../lib/cloth.ts";
import {
  clay,
  cream,
  gold,
  green,
  haze,
  honey,
  ink,
  leaf,
  mint,
  paper,
  sand,
  umber,
  white,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, clipped, line, type Paint, path, place, rect, svg, times } from "../lib/svg.ts";

/** A conical flask with its liquid up to `level` (0 to 1), foot at x, y. */
const flask = (x: number, y: number, scale: number, level: number, liquid: Paint) => {
  const glass = "M-22 -220V-150L-96 -18Q-104 0 -84 0H84Q104 0 96 -18L22 -150V-220Z";
  return place(
    { x, y, scale },
    path(glass, white, { opacity: 0.3 }),
    clipped(
      glass,
      rect(-110, -150 * level, 220, 160, liquid),
      rect(-110, -150 * level, 220, 8, white, { opacity: 0.4 }),
      rect(20, -230, 100, 240, ink, { opacity: 0.08 }),
    ),
    circle(-20, -40, 9, white, { opacity: 0.45 }) +
      circle(16, -66, 6, white, { opacity: 0.45 }) +
      circle(30, -28, 7, white, { opacity: 0.45 }),
    rect(-30, -228, 60, 14, white, { r: 6, opacity: 0.7 }),
    bars(40, -90, 26, 60, 18, 3, white, 0.7),
  );
};

const microscope = (x: number, y: number, scale: number) =>
  place(
    { x, y, scale },
    rect(-110, -26, 230, 26, ink, { r: 8 }),
    line("M70 -40A120 120 0 0 0 40 -250", ink, 30),
    rect(-86, -92, 150, 16, ink, { r: 4 }),
    rect(-50, -102, 60, 8, haze),
    place(
      { x: -10, y: -200, turn: 16 },
      rect(-26, -110, 52, 150, cream, { r: 10 }),
      rect(-18, -156, 36, 50, ink, { r: 6 }),
      rect(-24, -168, 48, 16, gold, { r: 5 }),
      rect(-14, 40, 28, 34, ink),
      rect(-26, -40, 52, 10, gold),
    ),
    circle(54, -132, 20, gold) + circle(54, -132, 9, "#b9831c"),
  );

export const picture: Picture = {
  name: "science",
  alt: "A laboratory bench with a microscope, flasks, a seedling and a stack of science books.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, "#174a70"),
      times(54, (index) => {
        const column = index % 18;
        const row = Math.floor(index / 18);
        if (row === 0 && column > 0 && column < 17) return "";
        if (row === 1 && column > 1 && column < 12) return "";
        const paint = [9, 20, 31, 34].includes(index)
          ? gold
          : column < 2
            ? "#3a7bad"
            : column > 11
              ? "#6da0c7"
              : "#2a6594";
        return rect(246 + column * 40, 70 + row * 46, 36, 42, paint, { r: 3 });
      }),
      rings(110, 150, 74, "#2a6594", "#174a70"),
      rect(0, 610, 1200, 30, sand),
      rect(0, 640, 1200, 160, umber),
      times(
        5,
        (index) =>
          rect(20 + index * 240, 668, 220, 132, "#5d3a19", { r: 4 }) +
          rect(110 + index * 240, 690, 40, 10, gold, { r: 5 }),
      ),
      rect(0, 640, 1200, 12, ink, { opacity: 0.25 }),
      flask(520, 612, 1.35, 0.66, gold),
      flask(690, 612, 0.95, 0.5, mint),
      microscope(250, 612, 1.35),
      times(
        4,
        (index) =>
          rect(800 + index * 44, 430, 22, 170, white, { r: 11, opacity: 0.35 }) +
          rect(
            800 + index * 44,
            500 - index * 18,
            22,
            100 + index * 18,
            [clay, honey, leaf, haze][index] ?? mint,
            { r: 11 },
          ),
      ),
      rect(782, 470, 184, 14, umber),
      rect(782, 590, 184, 22, umber),
      rect(790, 470, 12, 130, umber) + rect(946, 470, 12, 130, umber),
      stack(985, 612, 190, 5, 30, 31, [green, clay, paper, gold, leaf]),
      path("M1046 462h76l-12 -66h-52Z", clay),
      line("M1084 396V300", leaf, 8),
      lozenge(1060, 320, 36, leaf) + lozenge(1112, 290, 44, mint) + lozenge(1080, 260, 30, leaf),
    ),
};
