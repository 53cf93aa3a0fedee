import { board, bookRow, covers, faceBook, openBook, stack } from "../lib/books.ts";
import { bars, cloth } from "../lib/cloth.ts";
import {
  clay,
  cream,
  gold,
  green,
  greenDeep,
  honey,
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
import { louvres } from "../lib/scenery.ts";
import { ellipse, place, rect, svg } from "../lib/svg.ts";

export const picture: Picture = {
  name: "listening",
  alt: "A head teacher and a bookseller go through a book list together at a round table.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, "#ecd9c9"),
      rect(0, 0, 1200, 800, cream, { opacity: 0.4 }),
      louvres(480, 90, 240, 270),
      rect(60, 90, 300, 380, umber) +
        rect(74, 104, 272, 352, greenDeep) +
        bookRow(84, 216, 252, 104, 47) +
        board(74, 216, 272, 10) +
        bookRow(84, 334, 252, 104, 53) +
        board(74, 334, 272, 10) +
        bookRow(84, 454, 252, 106, 59),
      cloth(900, 80, 4, 6, 60, 15),
      rect(886, 70, 268, 14, umber),
      rect(0, 560, 1200, 240, clay),
      bars(0, 600, 1200, 200, 60, 4, "#8f3420"),
      person({
        x: 380,
        y: 780,
        scale: 1.5,
        skin: skins[3],
        hair: "short",
        top: sky,
        sash: {
          seed: 8,
          threads: { ground: "#8f3420", shade: "#b85638", first: "#f6d6c9", second: "#d18a72", accent: gold },
        },
        pose: "bust",
        bow: 6,
        arms: { left: [-86, -190, -40, -140], right: [96, -176, 112, -136] },
      }),
      person({
        x: 810,
        y: 780,
        scale: 1.5,
        flip: true,
        skin: skins[1],
        hair: "wrap",
        wrap: green,
        top: gold,
        pose: "bust",
        bow: 6,
        arms: { left: [-86, -190, -40, -140], right: [96, -176, 108, -136] },
      }),
      ellipse(600, 660, 470, 96, umber) + ellipse(600, 646, 470, 96, "#84562f"),
      rect(560, 740, 80, 60, umber),
      place({ x: 596, y: 560 }, openBook(0, 0, 260, green)),
      place(
        { x: 770, y: 604, turn: 8 },
        rect(0, 0, 130, 84, paper),
        bars(14, 14, 100, 60, 15, 4, sand),
        rect(14, 14, 12, 4, leaf),
        rect(14, 29, 12, 4, leaf),
        rect(14, 44, 12, 4, leaf),
      ),
      stack(300, 650, 130, 3, 24, 61, [honey, mint, leaf]),
      place({ x: 940, y: 590, turn: -5 }, faceBook(0, -40, 66, covers.clay, 9)),
    ),
};
