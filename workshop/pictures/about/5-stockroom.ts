import { board, bookRow, parcel, stack } from "../lib/books.ts";
import { bars, cloth } from "../lib/cloth.ts";
import {
  clay,
  cream,
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
  soot,
  stone,
  umber,
} from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, line, poly, rect, svg, times } from "../lib/svg.ts";

/** A class set: many copies of one book side by side. */
const classSet = (x: number, bottom: number, count: number, paint: string, mark: string) =>
  times(
    count,
    (index) =>
      rect(x + index * 15, bottom - 92, 13, 92, paint) +
      rect(x + index * 15, bottom - 74, 13, 6, mark) +
      rect(x + index * 15, bottom - 26, 13, 10, mark),
  );

export const picture: Picture = {
  name: "stockroom",
  alt: "The stockroom: class sets in rows, labelled boxes, and a woman with a list beside a loaded trolley.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, "#dfe7e2"),
      rect(0, 640, 1200, 160, stone),
      poly(
        [
          [0, 800],
          [200, 640],
          [1000, 640],
          [1200, 800],
        ],
        "#9da195",
      ),
      [150, 600, 1050]
        .map(
          (x) =>
            rect(x - 6, 0, 12, 60, soot) +
            poly(
              [
                [x - 60, 60],
                [x + 60, 60],
                [x + 84, 84],
                [x - 84, 84],
              ],
              soot,
            ) +
            rect(x - 70, 84, 140, 8, honey),
        )
        .join(""),
      rect(40, 120, 700, 540, greenDeep),
      times(3, (index) => rect(40 + index * 233 - 7, 120, 14, 560, umber)) + rect(733, 120, 14, 560, umber),
      classSet(60, 250, 13, leaf, honey) +
        classSet(290, 250, 13, clay, cream) +
        bookRow(526, 250, 200, 96, 75),
      board(40, 250, 700, 14),
      parcel(66, 386, 88, 84, 3) +
        parcel(162, 386, 88, 106, 5, "#c9a473") +
        classSet(292, 386, 13, sky, haze) +
        parcel(526, 386, 92, 76, 8) +
        parcel(626, 386, 90, 98, 2, "#c9a473"),
      board(40, 386, 700, 14),
      stack(60, 522, 190, 4, 24, 81, [gold, gold, gold]) +
        classSet(292, 522, 13, gold, greenDeep) +
        classSet(524, 522, 13, mint, green),
      board(40, 522, 700, 14),
      parcel(60, 660, 180, 110, 9) +
        bookRow(290, 660, 210, 116, 88) +
        parcel(522, 660, 96, 118, 4, "#c9a473") +
        parcel(624, 660, 100, 84, 6),
      rect(40, 660, 700, 20, umber),
      rect(800, 110, 330, 240, paper),
      rect(800, 110, 330, 34, green),
      bars(826, 176, 278, 160, 30, 6, sand),
      times(5, (index) => rect(826, 172 + index * 30, 16, 16, index < 3 ? leaf : sand, { r: 3 })),
      person({
        x: 1010,
        y: 780,
        scale: 1.36,
        skin: skins[0],
        hair: "braids",
        top: gold,
        bottom: green,
        pinafore: clay,
        arms: { left: [-80, -200, -30, -182], right: [78, -196, 30, -176] },
        held: rect(-42, -216, 84, 62, paper) + bars(-30, -202, 60, 44, 12, 4, stone),
      }),
      line("M812 770V470L772 440", soot, 12),
      rect(560, 716, 270, 16, soot),
      circle(600, 756, 22, ink) +
        circle(600, 756, 9, sand) +
        circle(786, 756, 22, ink) +
        circle(786, 756, 9, sand),
      parcel(576, 716, 130, 92, 7) +
        parcel(712, 716, 96, 120, 3, "#c9a473") +
        stack(586, 624, 112, 3, 20, 14, [leaf, clay, sky]),
      cloth(0, 0, 30, 1, 40, 19),
    ),
};
