import { board, bookRow, covers, faceBook, globe, openBook } from "../lib/books.ts";
import { cloth, lozenge } from "../lib/cloth.ts";
import { clay, gold, green, greenDeep, ink, leaf, mint, paper, skins, sky, umber } from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { louvres } from "../lib/scenery.ts";
import { ellipse, line, place, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "library",
  alt: "A new school library: one pupil fills the top shelf from a ladder while two others read on the floor.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, mint),
      rect(0, 0, 1200, 620, "#c9e0d3"),
      louvres(70, 110, 250, 300),
      times(11, (index) => lozenge(420 + index * 76, 50, 24, [clay, gold, green, paper][index % 4] ?? gold)),
      line("M380 24Q780 70 1200 24", umber, 4),
      rect(400, 120, 760, 510, umber),
      rect(416, 136, 728, 480, "#e9dfc6"),
      bookRow(426, 268, 400, 116, 91, 60),
      board(416, 268, 728, 14),
      bookRow(426, 430, 280, 130, 95) +
        faceBook(730, 304, 90, covers.clay, 4) +
        faceBook(836, 304, 90, covers.sky, 13) +
        bookRow(950, 430, 186, 130, 99),
      board(416, 430, 728, 14),
      bookRow(426, 616, 180, 140, 103) + globe(690, 530, 54) + bookRow(780, 616, 356, 140, 107),
      rect(400, 616, 760, 18, umber),
      rect(0, 634, 1200, 166, green),
      rect(0, 634, 1200, 8, greenDeep),
      ellipse(360, 742, 330, 60, clay) +
        ellipse(360, 742, 280, 48, "#b85638") +
        ellipse(360, 742, 210, 34, clay),
      line("M930 320L880 770M1050 320L1100 770", "#84562f", 14),
      times(6, (index) => line(`M${922 - index * 8} ${392 + index * 68}H${1058 + index * 8}`, "#84562f", 11)),
      person({
        x: 990,
        y: 598,
        scale: 1.02,
        back: true,
        skin: skins[2],
        hair: "short",
        top: paper,
        bottom: sky,
        arms: { left: [-78, -300, -90, -362], right: [66, -200, 70, -150] },
      }),
      faceBook(872, 178, 54, covers.green, 6),
      person({
        x: 240,
        y: 900,
        scale: 1.12,
        skin: skins[0],
        hair: "puffs",
        top: gold,
        pose: "bust",
        bow: 8,
        arms: { left: [-84, -196, -34, -164], right: [84, -196, 40, -166] },
      }),
      place({ x: 244, y: 692 }, openBook(0, 0, 170, clay)),
      person({
        x: 490,
        y: 906,
        scale: 1.12,
        skin: skins[3],
        hair: "scarf",
        wrap: paper,
        top: leaf,
        pose: "bust",
        bow: -6,
        arms: { left: [-84, -196, -34, -164], right: [84, -196, 40, -166] },
      }),
      place({ x: 490, y: 698 }, openBook(0, 0, 170, sky)),
      place(
        { x: 700, y: 720, turn: -6 },
        rect(0, 0, 130, 90, "#d3b184"),
        rect(0, 0, 130, 14, ink, { opacity: 0.1 }),
        faceBook(14, -66, 50, covers.wine, 3),
        faceBook(66, -58, 50, covers.olive, 8),
        rect(0, 0, 130, 90, "#d3b184"),
        cloth(54, 0, 1, 4, 22.5, 6),
      ),
    ),
};
