import { globe, pencil, ruler, stack } from "../lib/books.ts";
import { bars, cloth, lozenge, type Threads } from "../lib/cloth.ts";
import type { CoverPicture } from "../lib/cover.ts";
import { letters } from "../lib/cover.ts";
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
  sky,
  soot,
  stone,
  tint,
  umber,
  white,
} from "../lib/palette.ts";
import { circle, ellipse, line, type Paint, path, place, poly, rect, svg, times } from "../lib/svg.ts";

const threads: Record<string, Threads> = {
  green: { ground: green, shade: leaf, first: mint, second: "#5fa384", accent: gold },
  clay: { ground: "#8f3420", shade: "#b85638", first: "#f6d6c9", second: "#d18a72", accent: gold },
  sky: { ground: "#1b5280", shade: "#3a7bad", first: "#b4d3ea", second: "#6da0c7", accent: gold },
};

/** A thing on a pale ground, a strip of cloth at its side: how the shop shows what is not a book. */
const goods = (
  slug: string,
  ground: Paint,
  thread: "green" | "clay" | "sky",
  seed: number,
  ...parts: string[]
): CoverPicture => ({
  slug,
  draw: () =>
    svg(
      600,
      800,
      rect(0, 0, 600, 800, ground),
      cloth(0, 0, 1, 10, 80, seed, threads[thread]),
      place({ x: 340, y: 420 }, ellipse(0, 252, 210, 20, ink, { opacity: 0.1 }), ...parts),
    ),
});

/** A soft cover with a label, its upper left corner at x, y. */
const exerciseBook = (x: number, y: number, turn: number, paint: Paint, inside: string = "") =>
  place(
    { x, y, turn },
    rect(8, 10, 230, 310, ink, { opacity: 0.16, r: 6 }),
    rect(0, 0, 230, 310, paint, { r: 6 }),
    rect(0, 0, 22, 310, ink, { opacity: 0.16, r: 6 }),
    inside || rect(60, 60, 130, 84, paper, { r: 4 }) + bars(74, 84, 100, 50, 22, 4, stone),
  );

const pen = (x: number, turn: number, paint: Paint) =>
  place(
    { x, y: 0, turn, scale: 1.3 },
    rect(-14, -210, 28, 90, paint, { r: 8 }),
    rect(-20, -206, 7, 70, paint, { r: 3 }),
    rect(-11, -130, 22, 300, white, { r: 6 }),
    rect(-4, -130, 8, 290, paint, { opacity: 0.7 }),
    poly(
      [
        [-11, 168],
        [11, 168],
        [4, 214],
        [-4, 214],
      ],
      stone,
    ),
    circle(0, 216, 4, paint),
  );

const crayons = [clay, gold, green, sky, leaf, umber, honey, soot];

export const covers: readonly CoverPicture[] = [
  goods(
    "exercise-books",
    tint,
    "green",
    3,
    exerciseBook(-60, -200, 12, gold),
    exerciseBook(-130, -170, 2, leaf),
    exerciseBook(-180, -120, -8, clay),
  ),
  goods(
    "graph-books",
    honey,
    "green",
    4,
    exerciseBook(-70, -190, 8, leaf),
    exerciseBook(
      -150,
      -140,
      -5,
      greenDeep,
      rect(40, 40, 170, 230, paper) +
        times(
          9,
          (index) => rect(40, 40 + index * 28, 170, 2, mint) + rect(40 + index * 21, 40, 2, 230, mint),
        ) +
        line("M56 250L100 190L140 210L196 90", clay, 6),
    ),
  ),
  goods(
    "nursery-writing-books",
    mint,
    "clay",
    5,
    exerciseBook(-60, -190, 9, honey),
    exerciseBook(
      -150,
      -140,
      -6,
      sky,
      rect(40, 50, 170, 200, paper) +
        bars(40, 80, 170, 160, 40, 3, clay) +
        letters("a b c", 58, 178, 64, ink),
    ),
  ),
  goods(
    "note-books-a4",
    cream,
    "sky",
    6,
    place(
      { x: -150, y: -230 },
      rect(10, 12, 310, 430, ink, { opacity: 0.16, r: 8 }),
      rect(0, 0, 310, 430, "#1b5280", { r: 8 }),
      rect(0, 0, 46, 430, ink, { opacity: 0.3, r: 8 }),
      times(11, (index) => circle(24, 34 + index * 36, 9, cream)),
      rect(110, 120, 150, 100, paper, { r: 4 }),
      bars(126, 148, 118, 60, 24, 4, stone),
      rect(262, 0, 14, 430, gold),
    ),
  ),
  goods(
    "a4-copy-paper",
    haze,
    "sky",
    7,
    place(
      { x: -170, y: -90 },
      rect(0, 0, 340, 330, "#d3b184", { r: 4 }),
      rect(0, 0, 340, 60, ink, { opacity: 0.06 }),
      rect(130, 0, 80, 330, sky),
      rect(130, 120, 80, 80, paper),
      lozenge(170, 160, 32, gold),
      rect(30, -110, 280, 120, white, { r: 4 }),
      bars(30, -104, 280, 108, 12, 2, sand),
      rect(26, -100, 288, 34, sky),
    ),
  ),
  goods(
    "drawing-books",
    honey,
    "clay",
    8,
    place(
      { x: -180, y: -170, turn: -4 },
      rect(8, 10, 370, 290, ink, { opacity: 0.16 }),
      rect(0, 0, 370, 290, paper),
      times(10, (index) => rect(14 + index * 36, -12, 10, 26, soot, { r: 5 })),
      circle(280, 90, 34, gold),
      poly(
        [
          [30, 250],
          [120, 100],
          [200, 250],
        ],
        leaf,
      ),
      poly(
        [
          [130, 250],
          [220, 150],
          [310, 250],
        ],
        green,
      ),
      line("M30 252H340", umber, 8),
    ),
    pencil(-140, 190, 330, 30, clay, -12),
  ),
  goods(
    "hb-pencils",
    honey,
    "green",
    9,
    place(
      { x: -150, y: -40 },
      rect(0, 0, 300, 270, greenDeep, { r: 4 }),
      rect(0, 60, 300, 60, gold),
      lozenge(150, 90, 40, greenDeep),
      rect(0, 0, 300, 20, ink, { opacity: 0.3 }),
    ),
    times(8, (index) =>
      place(
        { x: -126 + index * 36, y: -40 },
        rect(-14, -150 - (index % 3) * 18, 28, 150 + (index % 3) * 18, index % 2 ? gold : leaf),
        poly(
          [
            [-14, -150 - (index % 3) * 18],
            [0, -190 - (index % 3) * 18],
            [14, -150 - (index % 3) * 18],
          ],
          sand,
        ),
        poly(
          [
            [-5, -176 - (index % 3) * 18],
            [0, -190 - (index % 3) * 18],
            [5, -176 - (index % 3) * 18],
          ],
          ink,
        ),
      ),
    ),
  ),
  goods("ballpoint-pens-blue", tint, "sky", 10, pen(-110, -16, sky), pen(0, -2, sky), pen(110, 14, sky)),
  goods("ballpoint-pens-red", tint, "clay", 11, pen(-110, -14, clay), pen(0, 2, clay), pen(110, 16, clay)),
  goods(
    "white-board-markers",
    haze,
    "green",
    12,
    times(4, (index) =>
      place(
        { x: -138 + index * 92, y: 0 },
        rect(-32, -190, 64, 420, white, { r: 16 }),
        rect(-32, -190, 64, 150, [ink, clay, sky, leaf][index] ?? ink, { r: 16 }),
        rect(-32, 20, 64, 60, [ink, clay, sky, leaf][index] ?? ink),
        rect(-32, 190, 64, 40, [ink, clay, sky, leaf][index] ?? ink, { r: 12 }),
      ),
    ),
  ),
  goods(
    "chalk-white",
    green,
    "clay",
    13,
    rect(-180, -210, 360, 330, soot),
    rect(-180, -210, 360, 330, "none", { stroke: umber, strokeWidth: 18 }),
    line("M-120 -130H60M-120 -70H110M-120 -10H-10", white, 9, { opacity: 0.85 }),
    times(5, (index) =>
      place(
        { x: -120 + index * 60, y: 190, turn: index % 2 ? 8 : -6 },
        rect(-60, -14, 120, 28, index === 3 ? honey : white, { r: 6 }),
      ),
    ),
  ),
  goods(
    "mathematical-set",
    cream,
    "green",
    14,
    place(
      { x: -180, y: -160, turn: -4 },
      rect(0, 0, 360, 270, "#3a7bad", { r: 22 }),
      rect(16, 16, 328, 238, sky, { r: 14 }),
      ruler(36, 180, 290, 44, honey),
      path("M60 150h120v-120zM112 128h44v-44z", paper, { opacity: 0.9 }),
      path("M200 150a65 65 0 0 1 130 0Z", mint) + path("M232 150a33 33 0 0 1 66 0Z", sky),
    ),
    place(
      { x: 60, y: 250, turn: 12 },
      line("M0 -190L-50 0M0 -190L50 0", stone, 14),
      circle(0, -196, 20, gold),
      rect(42, -10, 18, 40, clay, { r: 4 }),
    ),
  ),
  goods(
    "scientific-calculator",
    mint,
    "green",
    15,
    place(
      { x: -120, y: -230 },
      rect(10, 12, 250, 470, ink, { opacity: 0.18, r: 24 }),
      rect(0, 0, 250, 470, soot, { r: 24 }),
      rect(24, 28, 202, 90, "#c9d8b8", { r: 8 }),
      letters("3.14159", 50, 88, 44, ink),
      times(24, (index) =>
        rect(
          26 + (index % 4) * 52,
          146 + Math.floor(index / 4) * 52,
          42,
          38,
          index === 23 ? gold : index % 4 === 3 ? leaf : index < 8 ? stone : paper,
          { r: 8 },
        ),
      ),
    ),
  ),
  goods(
    "abacus-100-beads",
    honey,
    "clay",
    16,
    rect(-190, -220, 24, 460, umber, { r: 6 }),
    rect(166, -220, 24, 460, umber, { r: 6 }),
    rect(-200, 220, 400, 26, umber, { r: 6 }),
    times(
      8,
      (row) =>
        rect(-170, -190 + row * 50, 340, 6, stone) +
        times(10, (bead) =>
          circle(
            -146 + bead * 26 + (bead < 5 + (row % 3) ? 0 : 56),
            -187 + row * 50,
            16,
            (row + (bead < 5 ? 0 : 1)) % 2 ? clay : green,
          ),
        ),
    ),
  ),
  goods(
    "wall-clock-for-learning",
    tint,
    "sky",
    17,
    circle(0, 0, 210, green),
    circle(0, 0, 184, paper),
    times(12, (index) =>
      place({ turn: index * 30 }, rect(-5, -172, 10, index % 3 ? 18 : 34, index % 3 ? sky : clay)),
    ),
    place({ turn: 300 }, rect(-9, -96, 18, 106, clay, { r: 8 })),
    place({ turn: 60 }, rect(-6, -146, 12, 160, sky, { r: 6 })),
    circle(0, 0, 16, gold),
  ),
  goods("globe-political", honey, "sky", 18, globe(0, -20, 166)),
  goods(
    "wall-map-of-ghana",
    haze,
    "green",
    19,
    rect(-180, -240, 360, 480, paper),
    rect(-196, -252, 392, 22, umber, { r: 8 }),
    rect(-196, 232, 392, 22, umber, { r: 8 }),
    [
      [0.5, 0],
      [1.5, 0],
      [2.5, 0],
      [1, 1],
      [2, 1],
      [0.5, 2],
      [1.5, 2],
      [2.5, 2],
      [0, 3],
      [1, 3],
      [2, 3],
      [3, 3],
      [0.5, 4],
      [1.5, 4],
      [2.5, 4],
      [1, 5],
    ]
      .map(([column = 0, row = 0], index) =>
        rect(
          -134 + column * 67,
          -208 + row * 68,
          63,
          64,
          [leaf, mint, gold, honey, clay, "#6da0c7"][(index * 5) % 6] ?? leaf,
        ),
      )
      .join(""),
    bars(-170, 206, 340, 24, 10, 4, sky),
    circle(60, 98, 10, ink),
  ),
  goods(
    "periodic-table-wall-chart",
    "#1b5280",
    "sky",
    20,
    rect(-200, -170, 400, 330, paper, { r: 6 }),
    times(63, (index) => {
      const column = index % 9;
      const row = Math.floor(index / 9);
      if (row === 0 && column > 0 && column < 8) return "";
      if (row === 1 && column > 1 && column < 5) return "";
      return rect(
        -182 + column * 41,
        -150 + row * 42,
        36,
        37,
        column < 2 ? clay : column > 6 ? gold : row > 4 ? mint : leaf,
        { r: 3 },
      );
    }),
  ),
  goods(
    "human-body-wall-charts",
    cream,
    "clay",
    21,
    rect(-160, -240, 320, 480, paper),
    rect(-176, -252, 352, 22, umber, { r: 8 }),
    circle(0, -160, 44, "#7a5036"),
    path("M-70 -96Q0 -130 70 -96L96 60H66L50 -30L44 210H8L0 70L-8 210H-44L-50 -30L-66 60H-96Z", "#7a5036"),
    path("M-34 -74H34V-8H-34Z", "#f6d6c9"),
    bars(-34, -70, 68, 64, 14, 6, clay),
    lozenge(12, -40, 14, clay),
    line("M0 -120V20", cream, 6),
    path("M-24 8q24 30 48 0v34q-24 20 -48 0Z", gold),
  ),
  goods(
    "simple-circuit-kit",
    tint,
    "sky",
    22,
    path("M-150 140V-120H150V140Z", "none", { stroke: clay, strokeWidth: 12 }),
    rect(-90, 96, 180, 88, soot, { r: 10 }),
    rect(-90, 96, 60, 88, gold, { r: 10 }),
    rect(88, 122, 18, 36, stone),
    circle(0, -140, 70, honey),
    path("M-30 -90H30V-50H-30Z", stone),
    line("M-20 -120L-8 -160L8 -120L20 -160", umber, 6),
    rect(120, -30, 60, 70, sky, { r: 8 }),
    line("M150 20L176 -40", ink, 10),
  ),
  goods(
    "student-microscope",
    haze,
    "green",
    23,
    rect(-130, 200, 270, 36, ink, { r: 12 }),
    line("M90 190A150 150 0 0 0 44 -90", ink, 42),
    rect(-110, 100, 190, 22, ink, { r: 6 }),
    rect(-50, 86, 80, 10, white),
    place(
      { x: -16, y: -40, turn: 16 },
      rect(-36, -150, 72, 210, paper, { r: 14 }),
      rect(-24, -214, 48, 72, ink, { r: 8 }),
      rect(-34, -230, 68, 24, gold, { r: 8 }),
      rect(-20, 58, 40, 50, ink),
      rect(-36, -60, 72, 14, gold),
    ),
    circle(76, 60, 30, gold) + circle(76, 60, 13, "#b9831c"),
  ),
  goods(
    "crayons-24-colours",
    cream,
    "clay",
    24,
    crayons
      .map((paint, index) =>
        place(
          { x: -148 + index * 42, y: 0 },
          rect(-18, -150 + (index % 2) * 20, 36, 260, paint, { r: 3 }),
          poly(
            [
              [-18, -148 + (index % 2) * 20],
              [-7, -200 + (index % 2) * 20],
              [7, -200 + (index % 2) * 20],
              [18, -148 + (index % 2) * 20],
            ],
            paint,
          ),
          rect(-18, -110, 36, 8, white, { opacity: 0.5 }),
        ),
      )
      .join(""),
    rect(-190, 20, 380, 220, green, { r: 6 }),
    rect(-190, 60, 380, 60, gold),
    lozenge(0, 90, 48, green) + lozenge(-110, 90, 26, green) + lozenge(110, 90, 26, green),
  ),
  goods(
    "water-colour-sets",
    haze,
    "sky",
    25,
    rect(-190, -120, 380, 240, soot, { r: 18 }),
    times(12, (index) =>
      circle(
        -142 + (index % 6) * 57,
        -56 + Math.floor(index / 6) * 80,
        25,
        [clay, gold, leaf, sky, umber, honey, green, "#8d4459", mint, haze, ink, white][index] ?? clay,
      ),
    ),
    rect(-170, 60, 340, 40, "#43554c", { r: 8 }),
    place(
      { x: -30, y: 200, turn: -12 },
      rect(-190, -9, 300, 18, clay, { r: 8 }),
      rect(100, -11, 44, 22, stone),
      path("M144 -11Q190 -14 214 0Q190 14 144 11Z", soot),
    ),
  ),
  goods(
    "coloured-card-a4",
    tint,
    "green",
    26,
    times(9, (index) =>
      place(
        { x: -120 + index * 9, y: 200 - index * 6, turn: -30 + index * 6, scale: 0.86 },
        rect(0, -380, 210, 370, [clay, gold, leaf, sky, honey, green, "#d18a72", mint, haze][index] ?? gold, {
          r: 4,
        }),
        rect(0, -380, 3, 370, ink, { opacity: 0.12 }),
      ),
    ),
  ),
  goods(
    "safety-scissors",
    mint,
    "clay",
    27,
    place(
      { y: 20, turn: 20 },
      path("M-14 0L-52 -240Q-24 -258 -6 -230L18 6Z", stone),
      path("M14 0L52 -240Q24 -258 6 -230L-18 6Z", sand),
      circle(-70, 150, 66, "none", { stroke: clay, strokeWidth: 34 }),
      circle(70, 150, 66, "none", { stroke: gold, strokeWidth: 34 }),
      line("M10 -6L-42 96", clay, 38),
      line("M-10 -6L42 96", gold, 38),
      circle(0, -10, 13, soot),
    ),
  ),
  goods(
    "glue-sticks",
    honey,
    "sky",
    28,
    times(3, (index) =>
      place(
        { x: -130 + index * 130, y: 40 - (index % 2) * 60 },
        rect(-46, -120, 92, 320, [leaf, gold, sky][index] ?? leaf, { r: 12 }),
        rect(-46, -20, 92, 130, paper),
        lozenge(0, 44, 34, [leaf, clay, sky][index] ?? leaf),
        rect(-36, -180, 72, 70, white, { r: 10 }),
        rect(-50, 180, 100, 36, soot, { r: 8 }),
      ),
    ),
  ),
  {
    ...goods(
      "stationery",
      sand,
      "green",
      29,
      place(
        { x: -20, y: 0 },
        times(6, (index) =>
          place(
            { x: -70 + index * 30, y: 60, turn: -14 + index * 6 },
            rect(-11, -270, 22, 270, [gold, leaf, clay, sky, honey, green][index] ?? gold),
            poly(
              [
                [-11, -268],
                [0, -306],
                [11, -268],
              ],
              sand,
            ),
            poly(
              [
                [-4, -292],
                [0, -306],
                [4, -292],
              ],
              ink,
            ),
          ),
        ),
        rect(-110, 0, 220, 240, clay, { r: 12 }),
        bars(-110, 60, 220, 90, 30, 12, "#8f3420"),
        ellipse(0, 0, 110, 20, "#8f3420"),
      ),
      stack(90, 242, 120, 4, 26, 3, [green, gold, sky, cream]),
    ),
    of: "course",
  },
  {
    ...goods(
      "office-supplies",
      haze,
      "green",
      30,
      rect(-150, -230, 300, 400, umber, { r: 12 }),
      rect(-124, -196, 248, 340, paper),
      rect(-60, -256, 120, 60, stone, { r: 10 }),
      bars(-96, -140, 190, 250, 36, 5, haze),
      line("M-96 -86l18 20l34 -44M-96 -14l18 20l34 -44", leaf, 11),
      pencil(-120, 214, 300, 28, gold, -6),
    ),
    of: "subject",
  },
  {
    ...goods(
      "own-brand-art-craft",
      cream,
      "clay",
      32,
      path(
        "M-180 40Q-200 -150 0 -170Q190 -160 190 0Q180 70 100 50Q40 40 50 100Q50 180 -40 180Q-160 170 -180 40Z",
        umber,
      ),
      circle(-90, -60, 34, clay) +
        circle(0, -110, 30, gold) +
        circle(96, -60, 32, leaf) +
        circle(-100, 50, 30, sky) +
        circle(-30, 120, 26, honey),
      place(
        { x: 110, y: 150, turn: -50 },
        rect(-170, -9, 300, 18, green, { r: 8 }),
        rect(120, -11, 44, 22, stone),
        path("M164 -11Q210 -14 234 0Q210 14 164 11Z", soot),
      ),
    ),
    of: "publisher",
  },
];
