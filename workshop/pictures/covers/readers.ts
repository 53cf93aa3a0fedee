import { bars, cloth, lozenge, rings, steps, zigzag } from "../lib/cloth.ts";
import { bound, type CoverPicture, series, title } from "../lib/cover.ts";
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
  umber,
} from "../lib/palette.ts";
import { palm, tree } from "../lib/scenery.ts";
import { circle, clipped, ellipse, line, type Paint, path, place, poly, rect, times } from "../lib/svg.ts";

const drum = (x: number, y: number, scale: number) =>
  place(
    { x, y, scale },
    path("M-110 -170L-84 60H84L110 -170Z", umber),
    times(9, (index) =>
      line(`M${-100 + index * 25} -160L${-70 + index * 17.5} 50`, index % 2 ? gold : cream, 6),
    ),
    bars(-82, -80, 164, 70, 35, 14, clay),
    ellipse(0, -170, 116, 40, cream) + ellipse(0, -170, 92, 29, sand),
    rect(-90, 52, 180, 22, "#5d3a19", { r: 8 }),
  );

const hand = (x: number, y: number, turn: number, skin: Paint) =>
  place(
    { x, y, turn },
    rect(-16, -120, 32, 120, skin, { r: 14 }),
    ellipse(0, 10, 38, 46, skin),
    times(4, (index) => rect(-36 + index * 19, 30, 15, 54, skin, { r: 8 })),
    rect(30, -14, 16, 44, skin, { r: 8 }),
  );

const gear = (x: number, y: number, r: number, paint: Paint, teeth: number) =>
  times(teeth, (index) =>
    place({ x, y, turn: (360 / teeth) * index }, rect(-r * 0.14, -r * 1.16, r * 0.28, r * 0.4, paint)),
  ) +
  circle(x, y, r, paint) +
  circle(x, y, r * 0.6, "#5d3a19") +
  circle(x, y, r * 0.4, paint) +
  circle(x, y, r * 0.12, "#5d3a19");

export const covers: readonly CoverPicture[] = [
  {
    slug: "big-cat-phonics-the-lost-drum",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, green),
        rings(450, 400, 130, honey, gold),
        steps(0, 800, 50, [5, 6, 7, 7, 6, 5, 5, 6, 7, 8, 8, 7], leaf),
        tree(90, 700, 1),
        palm(520, 720, 1, greenDeep),
        rect(0, 690, 600, 110, greenDeep),
        drum(310, 700, 1.15),
        series("Big Cat Phonics", 44, 66),
        title("The Lost Drum", 44, 182, 512, 120),
      ),
  },
  {
    slug: "big-cat-phonics-pat-it-tap-it",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, honey),
        times(6, (index) =>
          rings(
            110 + (index % 3) * 190,
            640 + Math.floor(index / 3) * 170,
            96,
            index % 2 ? clay : green,
            honey,
          ),
        ),
        drum(300, 560, 0.9),
        hand(190, 330, 28, "#4a2f21") + hand(410, 330, -28, "#7a5036"),
        series("Big Cat Phonics", 44, 66, ink),
        title("Pat It, Tap It", 44, 165, 512, 60, ink),
      ),
  },
  {
    slug: "big-cat-ananse-and-the-pot-of-wisdom",
    draw: () => {
      const spoke = (at: number, r: number) =>
        [
          Math.round(420 + Math.cos((at * Math.PI) / 6) * r),
          Math.round(420 + Math.sin((at * Math.PI) / 6) * r),
        ] as const;
      return bound(
        rect(0, 0, 600, 800, "#2b1d14"),
        times(12, (index) => line(`M420 420L${spoke(index, 620).join(" ")}`, "#5d4634", 3)),
        times(6, (index) =>
          poly(
            Array.from({ length: 12 }, (_, at) => spoke(at, 80 + index * 80)),
            "none",
            { stroke: "#5d4634", strokeWidth: 3 },
          ),
        ),
        rect(0, 0, 600, 260, "#2b1d14", { opacity: 0.75 }),
        path("M90 800V650Q90 570 170 550V516H330V550Q410 570 410 650V800Z", clay),
        zigzag(96, 642, 308, 28, 12, gold) + bars(90, 700, 320, 60, 24, 8, "#8f3420"),
        rect(156, 500, 188, 26, "#8f3420", { r: 8 }),
        lozenge(250, 440, 30, gold) + lozenge(206, 396, 14, honey) + lozenge(300, 380, 18, honey),
        place(
          { x: 440, y: 420 },
          [-1, 1]
            .map((side) =>
              times(4, (index) =>
                line(
                  `M${side * 20} ${-20 + index * 16}L${side * (80 + index * 8)} ${-80 + index * 44}L${side * (112 + index * 6)} ${-30 + index * 52}`,
                  paper,
                  8,
                ),
              ),
            )
            .join(""),
          ellipse(0, 36, 50, 60, gold) + bars(-44, 14, 88, 60, 20, 8, clay),
          circle(0, -34, 34, paper) +
            circle(-11, -40, 6, ink) +
            circle(11, -40, 6, ink) +
            line("M-12 -22Q0 -14 12 -22", ink, 4),
        ),
        series("Big Cat", 44, 66),
        title("Ananse and the Pot of Wisdom", 44, 165, 512, 110),
      );
    },
  },
  {
    slug: "big-cat-the-river-crossing",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#f3d692"),
        rings(150, 330, 100, gold, honey),
        steps(0, 520, 40, [3, 4, 5, 5, 4, 4, 5, 6, 7, 7, 6, 5, 4, 3, 3], mint) +
          steps(0, 530, 30, [2, 2, 3, 3, 4, 4, 3, 3, 2, 2, 2, 3, 3, 4, 4, 5, 5, 4, 4, 3], leaf),
        rect(0, 520, 600, 280, sky),
        times(6, (index) =>
          zigzag(
            -20 + (index % 2) * 20,
            552 + index * 46,
            660,
            30 + index * 4,
            8 + index,
            index % 2 ? "#6da0c7" : "#3a7bad",
          ),
        ),
        place(
          { x: 240, y: 660, scale: 0.72 },
          path("M-58 0L-40 -130Q0 -150 40 -130L58 0Z", clay),
          circle(0, -176, 34, "#4a2f21"),
          path("M-36 -182Q-36 -222 0 -222Q36 -222 36 -182Z", ink),
        ),
        place(
          { x: 370, y: 660, scale: 0.8 },
          path("M-58 0L-40 -130Q0 -150 40 -130L58 0Z", green),
          circle(0, -176, 34, "#5f3d2a"),
          path("M-38 -178Q-44 -224 0 -228Q44 -224 38 -178Z", gold),
        ),
        path("M100 600Q300 690 520 594L486 670Q310 730 140 670Z", umber) + zigzag(180, 660, 250, 25, 8, gold),
        line("M420 540L510 760", "#5d3a19", 12),
        series("Big Cat", 44, 66, ink),
        title("The River Crossing", 44, 165, 512, 70, ink),
      ),
  },
  {
    slug: "reading-planet-the-kite-maker-of-keta",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#a9cfe4"),
        rect(0, 560, 600, 80, "#2a6594") +
          zigzag(-10, 586, 640, 30, 7, "#6da0c7") +
          zigzag(-30, 616, 680, 36, 8, "#1b5280"),
        rect(0, 640, 600, 160, "#ecd9ad"),
        palm(490, 700, 1.05, green) + palm(560, 720, 0.7, leaf),
        place(
          { x: 260, y: 410, turn: 18 },
          poly(
            [
              [0, -150],
              [104, 0],
              [0, 170],
              [-104, 0],
            ],
            clay,
          ),
          poly(
            [
              [0, -150],
              [104, 0],
              [0, 0],
            ],
            gold,
          ),
          poly(
            [
              [0, 170],
              [-104, 0],
              [0, 0],
            ],
            green,
          ),
          lozenge(0, 0, 44, paper),
          line("M0 -150V170M-104 0H104", ink, 4),
        ),
        line("M206 572Q160 620 220 660T218 710", ink, 4),
        times(4, (index) => lozenge(190 + (index % 2) * 22, 600 + index * 26, 11, index % 2 ? gold : clay)),
        place(
          { x: 170, y: 800, scale: 0.72 },
          path("M-60 0L-44 -140Q0 -160 44 -140L60 0Z", green),
          circle(0, -190, 34, "#3b261b"),
          path("M-36 -196Q-36 -236 0 -236Q36 -236 36 -196Z", ink),
          line("M40 -120L66 -140", "#3b261b", 20),
        ),
        series("Reading Planet", 44, 66, ink),
        title("The Kite Maker of Keta", 44, 165, 512, 90, ink),
      ),
  },
  {
    slug: "reading-planet-rocket-phonics",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#143f61"),
        times(26, (index) =>
          lozenge(
            30 + ((index * 149) % 560),
            230 + ((index * 97) % 520),
            index % 4 ? 5 : 9,
            index % 3 ? honey : paper,
          ),
        ),
        rings(110, 690, 120, "#3a7bad", sky),
        place(
          { x: 360, y: 500, turn: 24 },
          poly(
            [
              [-44, 150],
              [0, 300],
              [44, 150],
            ],
            gold,
          ) +
            poly(
              [
                [-24, 150],
                [0, 236],
                [24, 150],
              ],
              clay,
            ),
          path("M-70 150Q-96 -60 0 -210Q96 -60 70 150Z", paper),
          path("M-46 -110Q-30 -160 0 -210Q30 -160 46 -110Z", clay),
          circle(0, -30, 38, sky) + circle(0, -30, 24, haze),
          path("M-74 60L-130 150V190L-66 150Z", clay) + path("M74 60L130 150V190L66 150Z", clay),
          rect(-74, 90, 148, 16, gold),
        ),
        series("Reading Planet", 44, 66),
        title("Rocket Phonics", 44, 165, 512, 90),
      ),
  },
  {
    slug: "cambridge-reading-adventures-the-great-inventor",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#5d3a19"),
        gear(200, 480, 140, gold, 12) +
          gear(420, 640, 116, leaf, 10) +
          gear(452, 390, 84, clay, 8) +
          gear(150, 740, 84, honey, 8),
        series("Cambridge Reading Adventures", 44, 66),
        title("The Great Inventor", 44, 165, 512, 90),
      ),
  },
  {
    slug: "cambridge-reading-adventures-turtle-is-a-hero",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#10605f"),
        times(9, (index) =>
          zigzag(-20 - (index % 2) * 20, 300 + index * 60, 680, 40, 6, index % 2 ? "#26807d" : "#1a7472"),
        ),
        place(
          { x: 300, y: 540 },
          ellipse(-150, -96, 70, 34, leaf) +
            ellipse(150, -96, 70, 34, leaf) +
            ellipse(-140, 130, 58, 30, leaf) +
            ellipse(140, 130, 58, 30, leaf),
          circle(0, -206, 56, leaf) +
            circle(-20, -222, 8, ink) +
            circle(20, -222, 8, ink) +
            line("M-16 -194Q0 -182 16 -194", ink, 5),
          circle(0, 0, 176, umber) + circle(0, 0, 160, gold),
          lozenge(0, 0, 64, umber),
          times(6, (index) => place({ turn: index * 60 }, lozenge(0, -112, 40, index % 2 ? clay : umber))),
        ),
        series("Cambridge Reading Adventures", 44, 66),
        title("Turtle Is a Hero", 44, 165, 512, 60),
      ),
  },
  {
    slug: "cambridge-reading-adventures-sang-kancil",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#425615"),
        times(7, (index) =>
          path(
            `M${index * 96 - 20} 800Q${index * 96 + (index % 2 ? 70 : -60)} 560 ${40 + index * 90} 330Q${index * 96 + (index % 2 ? 110 : 0)} 560 ${index * 96 + 40} 800Z`,
            index % 2 ? "#67802b" : "#536b1e",
          ),
        ),
        place(
          { x: 220, y: 606 },
          ellipse(0, -60, 64, 40, umber),
          line("M-36 -40V10M-12 -36V14M20 -36V14M42 -44V10", umber, 10),
          path("M36 -80L70 -156L112 -142L104 -116L66 -70Z", umber),
          path("M76 -150L66 -192L94 -156Z", umber) + circle(88, -138, 5, ink),
        ),
        place(
          { x: 300, y: 680 },
          path("M-270 40Q-250 -40 -150 -40H40L240 -70Q276 -70 276 -40V-10H60L-40 40Z", leaf),
          path("M60 -6H276L270 24Q160 44 20 40H-270V140H40Q230 140 274 40Z", green),
          times(9, (index) =>
            poly(
              [
                [66 + index * 22, -8],
                [77 + index * 22, 14],
                [88 + index * 22, -8],
              ],
              paper,
            ),
          ),
          times(5, (index) =>
            poly(
              [
                [-236 + index * 34, -30],
                [-220 + index * 34, -62],
                [-204 + index * 34, -36],
              ],
              greenDeep,
            ),
          ),
          circle(116, -74, 26, gold) + circle(120, -74, 10, ink),
        ),
        series("Cambridge Reading Adventures", 44, 66),
        title("Sang Kancil and Crocodile", 44, 165, 512, 90),
      ),
  },
  {
    slug: "cambridge-reading-adventures-the-mighty-mountain",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#e6b06e"),
        rings(440, 320, 96, paper, honey),
        steps(-20, 800, 40, [6, 7, 8, 9, 10, 11, 12, 11, 10, 9, 9, 8, 7, 6, 5, 5], "#b0643a"),
        steps(100, 800, 40, [3, 4, 6, 8, 9, 11, 13, 11, 9, 8, 6, 5, 4, 3], "#8f3420"),
        path("M300 360V320H340V280H380V320H420V360H390V380H350V360Z", paper),
        steps(-40, 800, 30, [3, 4, 4, 5, 5, 4, 4, 3, 3, 4, 5, 6, 6, 5, 4, 3, 3, 4, 5, 5, 4, 3], green),
        rect(0, 740, 600, 60, greenDeep),
        series("Cambridge Reading Adventures", 44, 66, ink),
        title("The Mighty Mountain", 44, 165, 512, 60, ink),
      ),
  },
  {
    slug: "cambridge-reading-adventures-journey-to-callisto",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#212e52"),
        times(30, (index) =>
          circle(20 + ((index * 173) % 570), 220 + ((index * 113) % 560), index % 5 ? 2.5 : 5, paper),
        ),
        clipped(
          "M140 540a190 190 0 1 0 380 0a190 190 0 1 0 -380 0Z",
          rect(140, 350, 380, 380, "#b85638"),
          bars(140, 370, 380, 360, 62, 26, "#d18a72") + bars(140, 400, 380, 330, 124, 14, honey),
          ellipse(400, 600, 56, 30, "#8f3420"),
          path("M400 340A190 190 0 0 1 400 740H540V340Z", ink, { opacity: 0.16 }),
        ),
        circle(110, 420, 44, sand) + circle(96, 410, 9, "#c9bc9d") + circle(124, 434, 12, "#c9bc9d"),
        ellipse(330, 540, 272, 60, "none", {
          stroke: honey,
          strokeWidth: 4,
          transform: "rotate(-18 330 540)",
          opacity: 0.7,
        }),
        series("Cambridge Reading Adventures", 44, 66),
        title("Journey to Callisto", 44, 165, 512, 60),
      ),
  },
  {
    slug: "cambridge-early-years-lets-explore",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, mint),
        rings(450, 380, 96, paper, "#c4e0d1"),
        steps(0, 800, 50, [4, 5, 5, 6, 7, 6, 5, 5, 4, 4, 5, 6], leaf),
        tree(150, 720, 1.1, [green, "#4c9a79", greenDeep]),
        cloth(0, 700, 12, 2, 50, 33),
        place(
          { x: 420, y: 560 },
          circle(0, 0, 66, "none", { stroke: umber, strokeWidth: 22 }),
          circle(0, 0, 56, haze, { opacity: 0.8 }),
          line("M48 48L110 112", umber, 26),
          lozenge(-6, 0, 30, clay),
        ),
        series("Cambridge Early Years", 44, 66, ink),
        title("Let’s Explore", 44, 165, 512, 60, ink),
      ),
  },
];
