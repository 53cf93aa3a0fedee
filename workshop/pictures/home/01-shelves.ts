import { board, bookRow, covers, faceBook, globe, stack } from "../lib/books.ts";
import { cream, gold, green, greenDeep, ink, sand, skins, umber } from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { line, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "shelves",
  alt: "A bookseller in a headwrap takes a book from a wall of full shelves.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, greenDeep),
      rect(0, 0, 1200, 34, umber),
      bookRow(24, 214, 700, 158, 11),
      bookRow(760, 214, 420, 158, 12),
      board(0, 214, 1200, 16),
      bookRow(24, 440, 430, 176, 23),
      faceBook(480, 280, 118, covers.clay, 4),
      faceBook(616, 280, 118, covers.sky, 9),
      bookRow(760, 440, 420, 176, 31, 120),
      board(0, 440, 1200, 16),
      bookRow(24, 676, 240, 184, 41),
      globe(350, 570, 62),
      stack(450, 676, 170, 4, 30, 7),
      bookRow(760, 676, 420, 184, 52),
      board(0, 676, 1200, 18),
      rect(0, 694, 1200, 106, green),
      times(10, (index) => rect(20 + index * 120, 714, 100, 66, greenDeep, { r: 4 })),
      rect(736, 30, 14, 664, umber),
      line("M1068 70L1150 800M960 70L1010 800", sand, 12),
      times(8, (index) =>
        line(`M${963 + index * 6} ${140 + index * 84}L${1076 + index * 9} ${140 + index * 84}`, sand, 10),
      ),
      person({
        x: 850,
        y: 800,
        scale: 1.42,
        flip: true,
        skin: skins[0],
        hair: "wrap",
        wrap: gold,
        top: cream,
        sash: { seed: 6 },
        bottom: ink,
        skirt: true,
        arms: { left: [-70, -200, -40, -170], right: [86, -300, 92, -384] },
      }),
    ),
};
