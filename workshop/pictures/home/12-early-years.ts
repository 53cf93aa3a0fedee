import { covers, faceBook } from "../lib/books.ts";
import { bars, cloth, lozenge, rings } from "../lib/cloth.ts";
import { clay, gold, green, honey, ink, leaf, mint, paper, sand, skins, sky } from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, path, place, rect, svg } from "../lib/svg.ts";

const letters = {
  a: "M18 82L42 18H58L82 82H66L61 68H39L34 82ZM44 55H56L50 36Z",
  b: "M26 18H56Q76 18 76 35Q76 46 66 49Q79 53 79 65Q79 82 57 82H26ZM42 31V44H54Q60 44 60 37.5Q60 31 54 31ZM42 55V69H55Q63 69 63 62Q63 55 55 55Z",
  c: "M79 62Q73 84 50 84Q20 82 20 50Q20 18 50 16Q73 16 79 37H62Q59 30 50 30Q36 32 36 50Q36 68 50 70Q59 70 62 62Z",
};

const block = (x: number, y: number, size: number, side: string, face: string, letter: string) =>
  place(
    { x, y, scale: size / 100 },
    rect(0, 0, 100, 100, side, { r: 8 }),
    rect(8, 8, 84, 84, face, { r: 4 }),
    `<path fill-rule="evenodd" d="${letter}" fill="${side}"/>`,
    path("M100 6L122 -12V84L100 98Z", ink, { opacity: 0.28 }) + path("M2 4L24 -14H124L100 4Z", side),
  );

export const picture: Picture = {
  name: "early-years",
  alt: "A small child on a woven mat builds a tower of letter blocks beside a ring toy and picture books.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, mint),
      bars(0, 0, 1200, 560, 56, 28, "#b9dcc9"),
      rect(0, 540, 1200, 260, leaf),
      rect(0, 540, 1200, 10, green),
      rings(1010, 190, 100, paper, mint),
      place(
        { x: 60, y: 96 },
        rect(0, 0, 250, 190, paper),
        rect(14, 14, 222, 162, honey),
        lozenge(80, 110, 52, green),
        lozenge(160, 104, 66, leaf),
        circle(190, 52, 20, clay),
        rect(14, 150, 222, 26, green),
      ),
      path("M130 640H1070L1180 800H20Z", ink, { opacity: 0.14 }),
      `<g transform="translate(80 630) skewX(-24) translate(60 0)">${cloth(0, 0, 22, 3, 46, 25, { ground: "#8f3420", shade: "#b85638", first: "#f6d6c9", second: "#e3a72f", accent: paper })}</g>`,
      person({
        x: 640,
        y: 782,
        scale: 1.3,
        flip: true,
        skin: skins[0],
        hair: "round",
        top: gold,
        pose: "bust",
        arms: { left: [-66, -200, -30, -170], right: [92, -230, 150, -262] },
      }),
      path("M520 590Q500 640 470 690Q460 726 500 728L640 716L780 728Q820 726 806 690Q780 640 756 590Z", sky),
      circle(478, 712, 24, skins[0]) + circle(802, 712, 24, skins[0]),
      block(300, 604, 112, clay, paper, letters.a) +
        block(424, 616, 100, green, honey, letters.c) +
        block(330, 494, 108, gold, paper, letters.b) +
        block(352, 392, 98, sky, paper, letters.a),
      place(
        { x: 960, y: 720 },
        rect(-8, -230, 16, 230, sand, { r: 8 }),
        [
          [100, sky],
          [84, gold],
          [68, green],
          [52, clay],
          [38, honey],
        ]
          .map(([half, paint], index) =>
            rect(-Number(half), -46 - index * 42, Number(half) * 2, 40, String(paint), { r: 20 }),
          )
          .join(""),
        circle(0, -238, 18, green),
      ),
      place({ x: 120, y: 640, turn: -12 }, faceBook(0, 0, 110, covers.sky, 5)),
    ),
};
