import { board, bookRow, covers, faceBook, stack } from "../lib/books.ts";
import { cloth, lozenge, stripes } from "../lib/cloth.ts";
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
  umber,
} from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { palm, skyStrips } from "../lib/scenery.ts";
import { box, circle, clipped, path, poly, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "shop-front",
  alt: "The first shop: a green front with a striped awning and two windows full of books.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      skyStrips(1200, 700, ["#cfe2ec", "#dbe9ee", "#e6efee", "#f1efe2"]),
      palm(90, 640, 1.3, leaf),
      rect(150, 60, 900, 640, cream),
      rect(150, 60, 900, 26, umber),
      times(
        4,
        (index) =>
          rect(220 + index * 215, 116, 120, 70, haze, { r: 4 }) +
          rect(276 + index * 215, 116, 8, 70, cream) +
          rect(212 + index * 215, 186, 136, 10, sand),
      ),
      rect(150, 226, 900, 90, greenDeep),
      cloth(190, 246, 20, 1, 41, 36, {
        ground: greenDeep,
        shade: green,
        first: honey,
        second: leaf,
        accent: gold,
      }),
      times(18, (index) =>
        path(`M${130 + index * 52} 316h52v66q0 20 -26 20t-26 -20Z`, index % 2 ? paper : clay),
      ),
      rect(120, 310, 960, 12, umber),
      rect(150, 400, 900, 300, green),
      rect(190, 420, 300, 230, "#f6e7bf") +
        clipped(
          box(190, 420, 300, 230),
          bookRow(200, 524, 280, 92, 44),
          board(190, 524, 300, 8),
          faceBook(204, 548, 70, covers.clay, 5),
          faceBook(292, 548, 70, covers.sky, 12),
          faceBook(380, 548, 70, covers.umber, 7),
        ),
      rect(710, 420, 300, 230, "#f6e7bf") +
        clipped(
          box(710, 420, 300, 230),
          faceBook(724, 428, 66, covers.olive, 8),
          faceBook(812, 428, 66, covers.green, 15),
          faceBook(900, 428, 66, covers.wine, 6),
          board(710, 524, 300, 8),
          bookRow(720, 642, 280, 100, 66),
        ),
      poly(
        [
          [190, 420],
          [300, 420],
          [210, 650],
          [190, 650],
        ],
        paper,
        { opacity: 0.22 },
      ) +
        poly(
          [
            [710, 420],
            [830, 420],
            [740, 650],
            [710, 650],
          ],
          paper,
          { opacity: 0.22 },
        ),
      rect(540, 410, 120, 290, umber) +
        rect(552, 422, 96, 150, haze) +
        rect(552, 590, 96, 98, "#5d3a19") +
        circle(640, 580, 7, gold),
      lozenge(600, 490, 34, gold),
      rect(0, 700, 1200, 100, sand) + stripes(0, 700, 1200, 100, 100, 3, "#cdbf9f"),
      rect(0, 696, 1200, 8, "#b9ab8d"),
      person({
        x: 470,
        y: 770,
        scale: 0.86,
        skin: skins[0],
        hair: "bun",
        top: gold,
        sash: { seed: 44 },
        bottom: green,
        skirt: true,
        arms: { left: [-66, -196, -60, -140], right: [76, -206, 104, -236] },
      }),
      person({
        x: 800,
        y: 776,
        scale: 0.92,
        back: true,
        pose: "walk",
        skin: skins[2],
        hair: "short",
        top: paper,
        bottom: ink,
        bag: clay,
      }),
      person({
        x: 890,
        y: 772,
        scale: 0.62,
        back: true,
        pose: "walk",
        skin: skins[1],
        hair: "puffs",
        top: honey,
        bottom: umber,
        skirt: true,
        bag: leaf,
      }),
      stack(1068, 770, 100, 4, 20, 12, [green, clay, mint, gold]),
    ),
};
