import { lyingBook } from "../lib/books.ts";
import { cloth, rings, steps } from "../lib/cloth.ts";
import {
  clay,
  cream,
  gold,
  green,
  greenDeep,
  haze,
  honey,
  leaf,
  mint,
  paper,
  skins,
  sky,
  umber,
} from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { skyStrips } from "../lib/scenery.ts";
import { rect, svg, times } from "../lib/svg.ts";

const paints = [green, clay, gold, sky, leaf, cream, umber, greenDeep];

/** A stair of books: step by step one more, each reaching a little further to the right. */
const stair = (index: number) =>
  times(index + 2, (level) =>
    lyingBook(
      120 + index * 190 + ((level * 37) % 18) - 9,
      800 - (level + 1) * 62,
      1100 - index * 190,
      60,
      paints[(level * 3 + index) % paints.length] ?? green,
    ),
  );

export const picture: Picture = {
  name: "steps",
  alt: "Pupils climb a stair of giant books towards a rising sun.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      skyStrips(1200, 800, ["#f7e6c3", "#f5ddae", "#f3d69b", "#f1cf89", "#efc879"]),
      rings(930, 250, 250, gold, honey),
      steps(0, 800, 60, [7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8], mint),
      times(5, stair),
      person({
        x: 62,
        y: 800,
        scale: 0.72,
        pose: "walk",
        skin: skins[3],
        hair: "round",
        top: paper,
        bottom: sky,
        bag: clay,
        arms: { left: [-62, -200, -40, -160], right: [66, -200, 70, -156] },
      }),
      person({
        x: 210,
        y: 676,
        scale: 0.76,
        pose: "walk",
        skin: skins[0],
        hair: "puffs",
        top: paper,
        pinafore: sky,
        bottom: sky,
        skirt: true,
        arms: { left: [-62, -200, -40, -160], right: [76, -216, 96, -256] },
      }),
      person({
        x: 400,
        y: 614,
        scale: 0.82,
        pose: "walk",
        skin: skins[2],
        hair: "short",
        top: gold,
        bottom: green,
      }),
      person({
        x: 590,
        y: 552,
        scale: 0.88,
        pose: "walk",
        skin: skins[1],
        hair: "braids",
        top: leaf,
        bottom: umber,
        skirt: true,
        arms: { left: [-70, -196, -40, -170], right: [72, -196, 40, -176] },
        held: rect(-36, -216, 72, 54, clay, { r: 3 }) + rect(-36, -216, 10, 54, gold),
      }),
      person({
        x: 780,
        y: 490,
        scale: 0.94,
        pose: "walk",
        skin: skins[3],
        hair: "scarf",
        wrap: haze,
        top: sky,
        bottom: greenDeep,
        skirt: true,
      }),
      person({
        x: 1010,
        y: 428,
        scale: 1,
        skin: skins[0],
        hair: "short",
        top: greenDeep,
        sash: { seed: 6 },
        bottom: greenDeep,
        arms: { left: [-74, -300, -92, -360], right: [74, -300, 92, -360] },
      }),
      cloth(0, 780, 60, 1, 20, 12),
    ),
};
