import { board, bookRow, covers, faceBook, globe, stack } from "../lib/books.ts";
import { cloth, lozenge } from "../lib/cloth.ts";
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
  sky,
  umber,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, clipped, line, path, place, poly, rect, svg, times } from "../lib/svg.ts";

const arch = (x: number, w: number, top: number, foot: number) =>
  `M${x} ${foot}V${top + w / 2}A${w / 2} ${w / 2} 0 0 1 ${x + w} ${top + w / 2}V${foot}Z`;

const niche = (x: number, w: number, inside: string) =>
  path(arch(x - 14, w + 28, 76, 720), umber) +
  clipped(
    arch(x, w, 90, 720),
    rect(x, 60, w, 700, "#f6e7bf"),
    rect(x, 60, w * 0.12, 700, ink, { opacity: 0.07 }),
    inside,
  );

const lamp = (x: number, y: number) =>
  line(`M${x} 0V${y}`, ink, 4) +
  poly(
    [
      [x - 46, y + 46],
      [x + 46, y + 46],
      [x + 200, 716],
      [x - 200, 716],
    ],
    honey,
    { opacity: 0.09 },
  ) +
  path(`M${x - 50} ${y + 50}A50 50 0 0 1 ${x + 50} ${y + 50}Z`, gold) +
  rect(x - 50, y + 48, 100, 8, "#b9831c") +
  circle(x, y + 58, 12, paper);

export const picture: Picture = {
  name: "shop",
  alt: "Lamplight over arched bookshelves and a counter with woven cloth, a globe and stacks of school books.",
  width: 1200,
  height: 960,
  draw: () =>
    svg(
      1200,
      960,
      rect(0, 0, 1200, 960, green),
      rect(0, 0, 1200, 40, greenDeep),
      times(24, (index) => rect(index * 50, 40, 2, 700, leaf, { opacity: 0.35 })),
      niche(
        90,
        300,
        bookRow(100, 340, 280, 130, 5) +
          board(90, 340, 300, 14) +
          bookRow(100, 530, 280, 140, 16) +
          board(90, 530, 300, 14) +
          bookRow(100, 716, 280, 146, 29),
      ),
      niche(
        450,
        300,
        faceBook(484, 186, 106, covers.green, 12) +
          faceBook(612, 186, 106, covers.clay, 7) +
          board(450, 330, 300, 14) +
          bookRow(460, 522, 280, 146, 45) +
          board(450, 522, 300, 14) +
          faceBook(484, 566, 108, covers.sky, 4) +
          faceBook(612, 566, 108, covers.umber, 15),
      ),
      niche(
        810,
        300,
        bookRow(820, 340, 280, 132, 35) +
          board(810, 340, 300, 14) +
          bookRow(820, 530, 280, 140, 67) +
          board(810, 530, 300, 14) +
          bookRow(820, 716, 280, 146, 72),
      ),
      rect(0, 716, 1200, 20, umber),
      lamp(240, 20) + lamp(600, 0) + lamp(960, 20),
      rect(0, 736, 1200, 224, greenDeep),
      place({ x: 1010, y: 770 }, globe(0, -104, 78)),
      place(
        { x: 150, y: 770 },
        path("M-50 0L-62 -96H62L50 0Z", clay),
        rect(-68, -110, 136, 18, "#8f3420"),
        line("M0 -110V-210M0 -140L-50 -200M0 -140L52 -216", leaf, 8),
        lozenge(0, -240, 50, leaf),
        lozenge(-62, -216, 44, mint),
        lozenge(66, -232, 48, mint),
        lozenge(14, -286, 30, mint),
      ),
      stack(330, 770, 200, 5, 30, 17, [sky, clay, leaf, gold, cream]),
      stack(690, 770, 170, 3, 30, 27, [green, honey, clay]),
      place({ x: 548, y: 640, turn: 3 }, faceBook(0, 0, 98, covers.olive, 10)),
      rect(20, 768, 1160, 30, umber) + rect(20, 768, 1160, 7, honey, { opacity: 0.4 }),
      rect(50, 798, 1100, 162, "#5d3a19"),
      cloth(240, 776, 18, 4, 40, 24),
      rect(240, 936, 720, 6, gold),
      times(72, (index) => rect(242 + index * 10, 942, 4, 16, index % 3 ? mint : sand)),
      rect(50, 798, 1100, 10, ink, { opacity: 0.25 }),
    ),
};
