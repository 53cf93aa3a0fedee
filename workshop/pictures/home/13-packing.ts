import { board, bookRow, lyingBook, parcel, stack } from "../lib/books.ts";
import { bars, cloth, lozenge } from "../lib/cloth.ts";
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
  skins,
  sky,
  umber,
} from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { line, path, place, poly, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "packing",
  alt: "Two people pack class sets of books into parcels at a long table.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, sand),
      rect(0, 0, 1200, 800, cream, { opacity: 0.5 }),
      times(12, (index) => rect(index * 100, 0, 2, 540, "#d9cfb6")),
      rect(60, 60, 460, 300, umber),
      rect(74, 74, 432, 272, "#e9dfc6"),
      bookRow(84, 200, 410, 108, 61),
      board(74, 200, 432, 12),
      parcel(92, 346, 110, 92, 3) +
        parcel(214, 346, 90, 110, 7, "#c9a473") +
        parcel(316, 346, 124, 84, 9) +
        stack(330, 262, 100, 2, 18, 71),
      place(
        { x: 820, y: 70 },
        rect(0, 0, 250, 250, paper),
        rect(0, 0, 250, 40, green),
        times(20, (index) =>
          rect(
            18 + (index % 5) * 45,
            58 + Math.floor(index / 5) * 46,
            34,
            34,
            index === 8 ? gold : index > 13 ? tintOf(index) : mint,
            { r: 3 },
          ),
        ),
      ),
      rect(0, 540, 1200, 260, green),
      person({
        x: 360,
        y: 770,
        scale: 1.42,
        skin: skins[1],
        hair: "short",
        top: clay,
        pinafore: greenDeep,
        pose: "bust",
        arms: { left: [-92, -196, -50, -150], right: [86, -196, 60, -152] },
      }),
      person({
        x: 810,
        y: 770,
        scale: 1.42,
        skin: skins[0],
        hair: "braids",
        top: gold,
        pinafore: greenDeep,
        pose: "bust",
        arms: { left: [-88, -200, -60, -154], right: [92, -196, 58, -150] },
      }),
      rect(60, 600, 1080, 30, umber),
      rect(60, 630, 1080, 12, ink, { opacity: 0.25 }),
      rect(110, 642, 34, 160, umber) + rect(1056, 642, 34, 160, umber),
      rect(150, 642, 900, 60, "#5d3a19"),
      stack(90, 600, 170, 5, 28, 91, [leaf, leaf, gold, leaf, leaf]),
      rect(300, 508, 190, 92, "#d3b184"),
      poly(
        [
          [300, 508],
          [272, 470],
          [372, 470],
          [395, 508],
        ],
        "#c19a66",
      ) +
        poly(
          [
            [490, 508],
            [520, 474],
            [424, 470],
            [395, 508],
          ],
          "#b88f5b",
        ),
      lyingBook(318, 486, 150, 22, sky) + rect(300, 508, 190, 10, ink, { opacity: 0.16 }),
      bars(330, 544, 70, 34, 12, 5, ink, 0.5),
      place(
        { x: 720, y: 466 },
        rect(0, 0, 200, 134, "#c9a473", { r: 3 }),
        rect(0, 0, 200, 20, ink, { opacity: 0.08 }),
        cloth(83, 0, 1, 4, 33.5, 8),
        rect(0, 56, 200, 20, green),
        lozenge(100, 66, 26, gold),
        path("M100 0Q60 -44 46 -10Q60 6 100 0Q140 -44 154 -10Q140 6 100 0Z", green),
      ),
      stack(960, 600, 150, 4, 26, 33, [sky, clay, sky, honey]),
      place({ x: 560, y: 570 }, rect(0, 0, 92, 30, green, { r: 15 }), line("M20 0Q40 -60 90 -34", gold, 8)),
    ),
};

function tintOf(index: number): string {
  return index % 2 ? honey : "#d7e6dd";
}
