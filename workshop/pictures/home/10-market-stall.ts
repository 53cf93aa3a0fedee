import { bookRow, covers, faceBook, parcel, stack } from "../lib/books.ts";
import { cloth, steps } from "../lib/cloth.ts";
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
import { umbrella } from "../lib/scenery.ts";
import { line, rect, svg, times } from "../lib/svg.ts";

const houses = [clay, sand, mint, "#d9c39a", sand, "#d48a6a", mint, sand, clay, "#d9c39a"];

export const picture: Picture = {
  name: "market-stall",
  alt: "A book stall under a striped market umbrella; a mother and her son choose a book.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, "#e3edf0"),
      rect(0, 0, 1200, 200, "#d3e4ec"),
      steps(
        0,
        420,
        40,
        [2, 3, 3, 4, 4, 3, 3, 2, 2, 3, 4, 5, 5, 4, 3, 2, 2, 3, 3, 4, 4, 5, 4, 4, 3, 3, 2, 2, 3, 3],
        mint,
      ),
      houses
        .map((paint, index) => {
          const h = 150 + ((index * 53) % 90);
          return (
            rect(index * 124 - 20, 560 - h, 118, h, paint, { opacity: 0.75 }) +
            rect(index * 124 - 28, 552 - h, 134, 14, umber, { opacity: 0.7 }) +
            rect(index * 124 + 10, 600 - h, 24, 34, greenDeep, { opacity: 0.35 }) +
            rect(index * 124 + 52, 600 - h, 24, 34, greenDeep, { opacity: 0.35 })
          );
        })
        .join(""),
      rect(0, 556, 1200, 244, "#d8b98c"),
      rect(0, 556, 1200, 14, "#c4a273"),
      times(14, (index) =>
        rect((index * 173) % 1180, 600 + ((index * 61) % 180), 50, 5, "#c4a273", { opacity: 0.8 }),
      ),
      umbrella(130, 600, 300, 320, [gold, paper, sky, paper, gold]),
      rect(70, 520, 130, 16, umber) + stack(80, 520, 110, 3, 20, 4),
      umbrella(560, 690, 760, 640, [green, paper, clay, gold, clay, paper, green]),
      person({
        x: 440,
        y: 690,
        scale: 1.12,
        skin: skins[1],
        hair: "wrap",
        wrap: clay,
        top: gold,
        sash: { seed: 3 },
        bottom: green,
        skirt: true,
        arms: { left: [-70, -200, -40, -176], right: [84, -216, 120, -200] },
      }),
      rect(300, 500, 560, 22, umber),
      rect(312, 522, 536, 210, "#8f6033"),
      cloth(312, 522, 14, 2, 38.3, 11),
      rect(300, 500, 560, 6, honey, { opacity: 0.35 }),
      times(6, (index) => line(`M${312 + index * 107} 600V732`, umber, 4)),
      bookRow(620, 500, 226, 104, 17),
      faceBook(330, 404, 72, covers.sky, 3),
      stack(490, 500, 110, 4, 19, 22),
      person({
        x: 960,
        y: 770,
        scale: 1.16,
        flip: true,
        skin: skins[0],
        hair: "bun",
        top: paper,
        sash: {
          seed: 31,
          threads: { ground: "#1b5280", shade: "#3a7bad", first: "#b4d3ea", second: "#6da0c7", accent: gold },
        },
        bottom: sky,
        skirt: true,
        arms: { left: [-66, -196, -60, -140], right: [80, -210, 128, -226] },
      }),
      person({
        x: 1080,
        y: 782,
        scale: 0.84,
        flip: true,
        skin: skins[2],
        hair: "short",
        top: honey,
        bottom: umber,
        bag: green,
        arms: { left: [-60, -196, -20, -196], right: [64, -200, 24, -196] },
      }),
      faceBook(1040, 600, 62, covers.clay, 6),
      parcel(120, 780, 120, 90, 5),
      stack(256, 780, 150, 3, 26, 41, [leaf, cream, clay]),
    ),
};
