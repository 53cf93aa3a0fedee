import { globe } from "../lib/books.ts";
import { bars, cloth, lozenge, rings, steps, stripes, zigzag } from "../lib/cloth.ts";
import { bound, type CoverPicture, letters, series, title } from "../lib/cover.ts";
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
  umber,
} from "../lib/palette.ts";
import { box, circle, clipped, ellipse, line, path, place, poly, rect, times } from "../lib/svg.ts";

/** The tabs of a dictionary, cut into its fore-edge. */
const tabs = (paints: readonly string[]) =>
  paints.map((paint, index) => rect(560, 250 + index * 86, 40, 72, paint)).join("");

export const covers: readonly CoverPicture[] = [
  {
    slug: "school-atlas-for-west-africa",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, sky),
        stripes(0, 0, 600, 800, 60, 2, "#3a7bad") + bars(0, 0, 600, 800, 60, 2, "#3a7bad"),
        steps(
          0,
          800,
          30,
          [12, 13, 14, 14, 15, 15, 15, 14, 14, 14, 13, 13, 13, 13, 12, 13, 13, 14, 15, 16],
          mint,
        ),
        steps(0, 800, 30, [7, 8, 10, 11, 11, 11, 10, 10, 10, 9, 9, 8, 8, 9, 10, 11, 12, 12, 13, 14], leaf),
        path("M0 800V640H60V670H120V700H210V730H330V700H390V670H450V640H510V610H600V800Z", "#1b5280") +
          zigzag(80, 740, 380, 26, 7, "#6da0c7"),
        rect(300, 520, 60, 180, gold) + bars(300, 520, 60, 180, 30, 6, clay),
        circle(330, 672, 10, ink),
        place(
          { x: 500, y: 330 },
          circle(0, 0, 62, paper),
          lozenge(0, 0, 54, honey),
          poly(
            [
              [-9, 0],
              [0, -56],
              [9, 0],
            ],
            clay,
          ),
          poly(
            [
              [-9, 0],
              [0, 56],
              [9, 0],
            ],
            ink,
          ),
        ),
        series("Collins", 44, 66),
        title("School Atlas for West Africa", 44, 165, 512, 120),
      ),
  },
  {
    slug: "primary-atlas-of-the-world",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#10605f"),
        times(7, (index) => circle(300, 620, 470 - index * 50, index % 2 ? "#10605f" : "#176b69")),
        globe(300, 520, 176),
        series("Collins", 44, 66),
        title("Primary Atlas of the World", 44, 165, 512, 110),
      ),
  },
  {
    slug: "school-dictionary",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, clay),
        rect(40, 300, 480, 440, "#8f3420"),
        ["A", "b", "C", "d", "E", "ɛ", "ŋ", "ɔ", "Z"]
          .map((letter, index) => {
            const x = 40 + (index % 3) * 160;
            const y = 300 + Math.floor(index / 3) * 147;
            return (
              rect(
                x + 6,
                y + 6,
                148,
                135,
                index % 2 ? "#8f3420" : ([gold, honey, "#b85638"][index % 3] ?? gold),
              ) + letters(letter, x + 46, y + 106, 110, index % 2 ? paper : greenDeep)
            );
          })
          .join(""),
        tabs([gold, paper, gold, paper, gold, paper]),
        series("Collins", 44, 66),
        title("School Dictionary", 44, 165, 512, 70),
      ),
  },
  {
    slug: "french-school-dictionary",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#1b5280"),
        place(
          { x: 150, y: 430 },
          path("M-100 -90H180V70H20L-50 130V70H-100Z", paper),
          letters("oui", -52, 40, 120, "#1b5280"),
        ),
        place(
          { x: 380, y: 640 },
          path("M-170 -90H130V70H80V130L10 70H-170Z", gold),
          letters("yes", -128, 36, 120, greenDeep),
        ),
        tabs([paper, clay, paper, clay, paper, clay]),
        series("Collins", 44, 66),
        title("French School Dictionary", 44, 165, 512, 110),
      ),
  },
  {
    slug: "ks2-history-discover-learn-benin-kingdom",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#70451f"),
        times(6, (index) => bars(0, 250 + index * 96, 600, 48, 24, 8, "#8f6033")),
        rings(300, 540, 250, "#8f6033", "#70451f"),
        place(
          { x: 300, y: 560 },
          path("M-120 220Q-140 120 -96 60H96Q140 120 120 220Z", "#b9831c"),
          times(7, (index) =>
            rect(-124 + index * 2, 90 + index * 19, 248 - index * 4, 11, index % 2 ? clay : gold, { r: 5 }),
          ),
          path("M-92 70Q-104 -60 -80 -110H80Q104 -60 92 70Q50 110 0 110Q-50 110 -92 70Z", gold),
          path("M0 -110H80Q104 -60 92 70Q50 110 0 110Z", "#b9831c", { opacity: 0.5 }),
          rect(-92, -180, 184, 76, clay, { r: 10 }) +
            bars(-92, -176, 184, 70, 18, 5, "#8f3420") +
            stripes(-88, -180, 180, 76, 22, 5, "#8f3420"),
          [-1, 1]
            .map(
              (side) =>
                path(
                  `M${side * 12} -20Q${side * 40} -44 ${side * 68} -20Q${side * 40} 0 ${side * 12} -20Z`,
                  ink,
                ) +
                times(4, (index) =>
                  rect(side * (96 + index * 3) - 6, -90 + index * 44, 12, 40, clay, { r: 5 }),
                ) +
                times(3, (index) => rect(side * (30 + index * 14) - 3, -86, 6, 30, "#70451f")),
            )
            .join(""),
          path("M-14 -16L-24 30H24L14 -16Z", "#b9831c") + path("M-40 62Q0 44 40 62Q0 84 -40 62Z", "#70451f"),
        ),
        series("KS2 History", 44, 66),
        title("Discover & Learn: Benin Kingdom", 44, 165, 512, 70),
      ),
  },
  {
    slug: "ks2-geography-discover-learn-rivers",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, honey),
        steps(0, 520, 50, [3, 4, 5, 6, 5, 4, 5, 6, 7, 6, 5, 4], "#c99a5c") +
          steps(0, 520, 50, [1, 2, 3, 3, 2, 2, 3, 4, 4, 3, 2, 2], leaf),
        rect(0, 510, 600, 290, green),
        path(
          "M330 300H360V420H420V500H300V560H180V620H420V690H240V800H560V690H520V560H420V500H460V400H390V300Z",
          "#3a7bad",
        ),
        zigzag(330, 450, 90, 22, 6, haze) +
          zigzag(200, 590, 200, 25, 7, haze) +
          zigzag(270, 740, 260, 26, 8, haze),
        stripes(20, 680, 180, 100, 26, 10, leaf) + stripes(30, 560, 120, 40, 22, 8, leaf),
        series("KS2 Geography", 44, 66, ink),
        title("Discover & Learn: Rivers", 44, 165, 512, 70, ink),
      ),
  },
  {
    slug: "primary-practice-history-ancient-africa",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#e6b06e"),
        rings(150, 370, 84, paper, honey),
        steps(180, 700, 26, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "#a9672f"),
        steps(440, 700, 26, [1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1], "#8a4f22"),
        poly(
          [
            [440, 440],
            [700, 700],
            [440, 700],
          ],
          ink,
          { opacity: 0.12 },
        ),
        rect(0, 696, 600, 104, "#70451f"),
        times(5, (index) =>
          place(
            { x: 40 + index * 40, y: 696 },
            rect(-9, -150 + index * 18, 18, 150 - index * 18, "#5d3a19"),
            poly(
              [
                [-9, -150 + index * 18],
                [0, -176 + index * 18],
                [9, -150 + index * 18],
              ],
              gold,
            ),
          ),
        ),
        cloth(0, 740, 10, 1, 60, 41, {
          ground: "#503013",
          shade: "#8f6033",
          first: "#ebd1af",
          second: "#b68f67",
          accent: gold,
        }),
        series("Primary Practice History", 44, 66, ink),
        title("Ancient Africa", 44, 165, 512, 70, ink),
      ),
  },
  {
    slug: "early-science-living-things",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#e1eee6"),
        rings(470, 370, 90, gold, honey),
        rect(0, 640, 600, 160, umber),
        bars(0, 664, 600, 130, 34, 8, "#5d3a19"),
        line("M260 640V400", leaf, 18) + line("M260 560L170 490M260 500L360 430", leaf, 14),
        lozenge(260, 340, 84, clay) + lozenge(260, 340, 34, gold),
        lozenge(146, 466, 52, leaf) + lozenge(386, 410, 58, green),
        place(
          { x: 450, y: 590 },
          ellipse(0, 0, 70, 50, clay),
          line("M0 -50V50", ink, 5),
          circle(-28, -10, 11, ink) +
            circle(28, -10, 11, ink) +
            circle(-24, 22, 9, ink) +
            circle(24, 22, 9, ink),
          circle(0, -54, 22, ink),
        ),
        path("M60 720Q120 690 170 720T290 716T400 720", "none", { stroke: "#e4a58c", strokeWidth: 20 }),
        series("Early Science", 44, 66, ink),
        title("Living Things", 44, 165, 512, 70, ink),
      ),
  },
  {
    slug: "my-first-number-fun",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, gold),
        times(3, (row) =>
          times(row + 1, (index) =>
            rings(216 + index * 138, 380 + row * 160, 60, [green, clay, sky][row] ?? green, gold),
          ),
        ),
        letters("1", 40, 420, 130, greenDeep) +
          letters("2", 30, 580, 130, greenDeep) +
          letters("3", 30, 740, 130, greenDeep),
        series("Schofield & Sims", 44, 66, ink),
        title("My First Number Fun", 44, 165, 512, 70, ink),
      ),
  },
  {
    slug: "times-tables",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, greenDeep),
        times(100, (index) => {
          const column = index % 10;
          const row = Math.floor(index / 10);
          const paint = column === row ? gold : ((column + 1) * (row + 1)) % 2 === 0 ? leaf : green;
          return rect(50 + column * 51, 260 + row * 51, 46, 46, paint);
        }),
        clipped(
          box(50, 260, 510, 510),
          times(10, (index) => lozenge(73 + index * 51, 283 + index * 51, 13, greenDeep)),
        ),
        series("Schofield & Sims", 44, 66),
        title("Times Tables", 44, 165, 512, 70),
      ),
  },
  {
    slug: "early-writing-skills",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, haze),
        rect(40, 270, 520, 490, paper),
        times(
          4,
          (index) =>
            rect(40, 350 + index * 110, 520, 3, clay, { opacity: 0.6 }) +
            rect(40, 306 + index * 110, 520, 2, sky, { opacity: 0.5 }),
        ),
        times(5, (index) =>
          path(`M${70 + index * 90} 350a40 40 0 1 1 60 0`, "none", {
            stroke: index < 3 ? green : sand,
            strokeWidth: 9,
          }),
        ),
        zigzag(66, 440, 440, 44, 9, green),
        times(9, (index) => line(`M${80 + index * 52} 570l24 -44`, index < 5 ? clay : sand, 9)),
        path("M80 660q40 -60 80 0t80 0t80 0t80 0", "none", { stroke: gold, strokeWidth: 9 }),
        place(
          { x: 410, y: 660, turn: -52 },
          rect(0, -20, 240, 40, green),
          rect(0, -6, 240, 12, ink, { opacity: 0.15 }),
          poly(
            [
              [0, -20],
              [0, 20],
              [-56, 0],
            ],
            sand,
          ),
          poly(
            [
              [-38, -7],
              [-38, 7],
              [-56, 0],
            ],
            ink,
          ),
        ),
        series("Schofield & Sims", 44, 66, ink),
        title("Early Writing Skills", 44, 165, 512, 70, ink),
      ),
  },
  {
    slug: "skoldo-primary-french-songs-and-raps",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#2c5f50"),
        bars(0, 330, 600, 200, 44, 5, "#7fb39f"),
        times(5, (index) => {
          const x = 90 + index * 104;
          const y = [500, 440, 470, 400, 430][index] ?? 440;
          return (
            ellipse(x, y, 32, 24, [gold, paper, honey, gold, paper][index] ?? gold) +
            rect(x + 24, y - 130, 8, 130, paper) +
            (index % 2 ? path(`M${x + 28} ${y - 130}q50 10 40 66q-10 -34 -40 -34Z`, paper) : "")
          );
        }),
        place(
          { x: 170, y: 690 },
          ellipse(0, 0, 96, 34, umber),
          path("M-96 0V70Q0 116 96 70V0Q0 44 -96 0Z", "#5d3a19"),
          ellipse(0, -4, 82, 25, sand),
        ),
        place(
          { x: 420, y: 690, turn: 20 },
          rect(-16, -40, 32, 150, soot, { r: 14 }),
          circle(0, -70, 50, gold),
          bars(-40, -104, 80, 70, 18, 4, umber),
        ),
        series("Skoldo Primary French", 44, 66),
        title("Songs and Raps", 44, 165, 512, 70),
      ),
  },
  {
    slug: "skoldo-primary-french-flashcards",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#2c5f50"),
        place({ x: 90, y: 330, turn: -10 }, rect(0, 0, 240, 320, sand, { r: 16 })),
        place(
          { x: 270, y: 320, turn: 9 },
          rect(0, 0, 240, 320, honey, { r: 16 }),
          lozenge(120, 130, 84, clay),
          rect(50, 258, 140, 16, ink, { opacity: 0.4, r: 8 }),
        ),
        place(
          { x: 160, y: 390, turn: -2 },
          rect(8, 10, 250, 330, ink, { opacity: 0.2, r: 16 }),
          rect(0, 0, 250, 330, paper, { r: 16 }),
          rings(125, 130, 80, gold, honey),
          letters("le soleil", 40, 286, 50, greenDeep),
        ),
        series("Skoldo Primary French", 44, 66),
        title("Flashcards", 44, 178, 512, 70),
      ),
  },
  {
    slug: "global-perspectives",
    of: "subject",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#1d5364"),
        times(16, (index) => {
          const x = 75 + (index % 4) * 150;
          const y = 340 + Math.floor(index / 4) * 120;
          return (
            (index % 4 < 3 ? line(`M${x} ${y}H${x + 150}`, "#4d8394", 6) : "") +
            (index < 12 ? line(`M${x} ${y}L${x + (index % 2 ? 150 : 0)} ${y + 120}`, "#4d8394", 6) : "")
          );
        }),
        times(16, (index) =>
          lozenge(
            75 + (index % 4) * 150,
            340 + Math.floor(index / 4) * 120,
            40,
            [gold, mint, clay, paper, honey, leaf][(index * 5) % 6] ?? gold,
          ),
        ),
        title("Global Perspectives", 44, 110, 512, 110),
        rect(44, 236, 72, 6, gold),
      ),
  },
  {
    slug: "11-verbal-reasoning",
    draw: () =>
      bound(
        rect(0, 0, 600, 800, "#5b4a14"),
        times(25, (index) => {
          const x = 50 + (index % 5) * 102;
          const y = 270 + Math.floor(index / 5) * 100;
          const lit = [0, 6, 12, 18, 24].includes(index);
          return (
            rect(x, y, 92, 90, lit ? gold : "#7b672a", { r: 8 }) +
            letters(
              "LWXROVOHMZKTGJUEADIFPWNYC".charAt(index),
              x + 24,
              y + 66,
              62,
              lit ? greenDeep : "#ecdca0",
            )
          );
        }),
        title("11+ Verbal Reasoning", 44, 110, 512, 70),
        rect(44, 190, 72, 6, cream),
      ),
  },
];
