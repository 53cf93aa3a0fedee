import { covers, faceBook, pencil, ruler } from "../lib/books.ts";
import { bars, cloth } from "../lib/cloth.ts";
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
  sky,
  soot,
  stone,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, line, path, place, rect, svg, times } from "../lib/svg.ts";

const pencils = [green, gold, green, clay, leaf, honey, leaf, sky, green, gold, green, clay];

export const picture: Picture = {
  name: "stationery",
  alt: "Pencils laid out like woven strips beside exercise books, a ruler, scissors and an eraser.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, honey),
      rect(0, 0, 1200, 800, cream, { opacity: 0.45 }),
      pencils
        .map((paint, index) => {
          const x = 60 + (index % 2) * 46;
          const y = 66 + index * 60;
          return rect(x + 6, y - 10, 400, 40, ink, { opacity: 0.1, r: 6 }) + pencil(x, y, 470, 40, paint);
        })
        .join(""),
      place(
        { x: 640, y: 60, turn: 4 },
        rect(10, 14, 270, 360, ink, { opacity: 0.16, r: 6 }),
        rect(0, 0, 270, 360, paper, { r: 6 }),
        bars(20, 50, 230, 300, 26, 2, haze),
        rect(58, 0, 3, 360, clay, { opacity: 0.6 }),
        times(12, (index) => circle(18, 28 + index * 28, 6, sand)),
      ),
      place({ x: 780, y: 70, turn: -6 }, faceBook(0, 60, 250, covers.green, 14)),
      cloth(1090, 0, 1, 10, 80, 18, {
        ground: "#8f3420",
        shade: "#b85638",
        first: "#f6d6c9",
        second: "#d18a72",
        accent: gold,
      }),
      ruler(620, 520, 440, 58, paper, 5),
      place(
        { x: 700, y: 700, turn: -18 },
        rect(6, 8, 170, 74, ink, { opacity: 0.14, r: 10 }),
        rect(0, 0, 170, 74, paper, { r: 10 }),
        rect(56, 0, 114, 74, sky, { r: 10 }),
        rect(56, 0, 12, 74, mint),
      ),
      place(
        { x: 1000, y: 640, turn: 38 },
        path("M-8 0L-190 -46Q-200 -34 -188 -28L-4 14Z", stone),
        path("M-8 0L-190 46Q-200 34 -188 28L-4 -14Z", sand),
        circle(-20, 0, 7, soot),
        circle(56, -38, 38, "none", { stroke: green, strokeWidth: 20 }),
        circle(56, 38, 38, "none", { stroke: green, strokeWidth: 20 }),
        line("M-10 6L26 -16M-10 -6L26 16", green, 22),
      ),
    ),
};
