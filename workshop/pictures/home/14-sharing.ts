import { openBook, stack } from "../lib/books.ts";
import { lozenge, steps } from "../lib/cloth.ts";
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
import { ellipse, path, place, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "sharing",
  alt: "A boy and a girl in school uniform share one book on a bench in the shade of a tree.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, "#f3e3b4"),
      rect(0, 0, 1200, 260, "#f6ead0"),
      steps(0, 560, 60, [2, 3, 3, 4, 3, 2, 2, 1, 1, 2, 2, 3, 4, 4, 5, 5, 4, 3, 2, 2], mint),
      rect(0, 540, 1200, 260, leaf),
      ellipse(640, 720, 620, 90, green, { opacity: 0.55 }),
      path(
        "M720 740Q750 520 720 330L600 180L640 160L744 280L760 120H810L812 290L930 150L968 172L840 360Q826 560 870 740Z",
        umber,
      ),
      path("M800 740Q800 500 800 330L930 150L968 172L840 360Q826 560 870 740Z", "#5d3a19"),
      lozenge(420, 90, 220, greenDeep) +
        lozenge(1000, 70, 240, greenDeep) +
        lozenge(700, 20, 280, green) +
        lozenge(240, 40, 180, green) +
        lozenge(1130, 30, 200, green) +
        lozenge(560, 110, 150, leaf) +
        lozenge(880, 90, 160, leaf) +
        lozenge(330, 20, 110, leaf) +
        lozenge(1060, 150, 110, leaf),
      times(7, (index) =>
        lozenge(180 + index * 150, 190 + (index % 3) * 34, 34, index % 2 ? "#4c9a79" : green),
      ),
      rect(240, 640, 640, 26, "#84562f") + rect(240, 666, 640, 8, "#5d3a19"),
      rect(290, 666, 26, 110, "#5d3a19") + rect(800, 666, 26, 110, "#5d3a19"),
      person({
        x: 470,
        y: 790,
        scale: 1.16,
        flip: true,
        pose: "sit",
        skin: skins[0],
        hair: "puffs",
        top: paper,
        pinafore: sky,
        bottom: sky,
        skirt: true,
        bow: -9,
        arms: { left: [-74, -200, -96, -170], right: [66, -196, 0, -170] },
      }),
      person({
        x: 690,
        y: 790,
        scale: 1.16,
        pose: "sit",
        skin: skins[2],
        hair: "short",
        top: paper,
        bottom: "#1b5280",
        bow: -9,
        arms: { left: [-74, -200, -92, -170], right: [66, -196, 0, -172] },
      }),
      place({ x: 580, y: 566 }, openBook(0, 0, 216, clay)),
      stack(270, 640, 104, 3, 22, 6, [green, gold, haze]),
      place(
        { x: 930, y: 770 },
        rect(-44, -90, 96, 90, clay, { r: 14 }),
        rect(-30, -44, 68, 34, "#8f3420", { r: 6 }),
        path("M-18 -88Q4 -124 26 -88", "none", { stroke: "#8f3420", strokeWidth: 8 }),
      ),
      times(9, (index) => lozenge(60 + index * 140, 770 - (index % 2) * 20, 10, index % 3 ? honey : cream)),
    ),
};
