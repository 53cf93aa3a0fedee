import { rings, steps } from "../lib/cloth.ts";
import { clay, cream, gold, green, honey, leaf, mint, sand, skins, umber } from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { school, skyStrips, tree } from "../lib/scenery.ts";
import { path, poly, rect, svg } from "../lib/svg.ts";

export const picture: Picture = {
  name: "school-morning",
  alt: "Pupils with satchels walk to their school under a great tree in the morning.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      skyStrips(1200, 520, ["#dbe9ee", "#e4eeee", "#eef1e6", "#f6f0da"]),
      rings(250, 170, 82, honey, "#f8e7ba"),
      steps(0, 520, 50, [2, 3, 3, 4, 4, 5, 6, 6, 5, 4, 4, 3, 3, 2, 2, 3, 4, 4, 5, 5, 4, 3, 2, 2], mint),
      rect(0, 500, 1200, 300, leaf),
      school(170, 556, 700, 1.05, cream, clay),
      rect(86, 250, 8, 310, umber),
      rect(94, 254, 96, 20, clay) +
        rect(94, 274, 96, 20, gold) +
        rect(94, 294, 96, 20, green) +
        poly(
          [
            [142, 274],
            [146, 283],
            [155, 283],
            [148, 288],
            [151, 296],
            [142, 291],
            [133, 296],
            [136, 288],
            [129, 283],
            [138, 283],
          ],
          "#1b1f1a",
        ),
      path("M470 556H640L860 800H250Z", sand),
      path("M470 556H486L300 800H250ZM624 556H640L860 800H812Z", "#d3c6a8"),
      rect(0, 640, 1200, 160, green, { opacity: 0.35 }),
      path("M408 640H700L844 800H262Z", "#ece2cb"),
      tree(1000, 640, 1.7),
      person({
        x: 410,
        y: 700,
        scale: 0.62,
        back: true,
        pose: "walk",
        skin: skins[2],
        hair: "short",
        top: honey,
        bottom: umber,
        bag: green,
      }),
      person({
        x: 620,
        y: 690,
        scale: 0.56,
        back: true,
        pose: "walk",
        skin: skins[0],
        hair: "bun",
        top: honey,
        bottom: umber,
        skirt: true,
        bag: clay,
      }),
      person({
        x: 520,
        y: 780,
        scale: 0.86,
        back: true,
        pose: "walk",
        skin: skins[3],
        hair: "puffs",
        top: honey,
        bottom: umber,
        skirt: true,
        bag: "#1f5c8b",
      }),
      person({
        x: 660,
        y: 792,
        scale: 0.92,
        back: true,
        pose: "walk",
        skin: skins[1],
        hair: "short",
        top: honey,
        bottom: umber,
        bag: gold,
      }),
    ),
};
