import { rings, steps, zigzag } from "../lib/cloth.ts";
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
import type { Picture } from "../lib/picture.ts";
import { palm, tree } from "../lib/scenery.ts";
import { clipped, path, place, poly, rect, svg, times } from "../lib/svg.ts";

const hut = (x: number, y: number, scale: number, wall: string, roof: string) =>
  place(
    { x, y, scale },
    rect(-40, -62, 80, 62, wall),
    rect(-12, -40, 24, 40, umber),
    poly(
      [
        [-58, -58],
        [0, -124],
        [58, -58],
      ],
      roof,
    ),
    rect(-40, -16, 80, 6, ink, { opacity: 0.2 }),
  );

export const picture: Picture = {
  name: "stories",
  alt: "A village with a river, palms and a rising sun stands up out of the pages of an open book.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, "#8f3420"),
      times(10, (index) => rect(0, index * 80 + 36, 1200, 8, "#7f2c1a")),
      clipped(
        "M150 600V330A450 300 0 0 1 1050 330V600Z",
        rect(150, 0, 900, 620, "#f7e6bd"),
        rect(150, 200, 900, 90, "#f5dea8"),
        rect(150, 290, 900, 400, "#f3d692"),
        rings(600, 300, 120, gold, honey),
        steps(120, 620, 40, [4, 5, 6, 7, 8, 8, 7, 6, 6, 5, 5, 6, 7, 7, 8, 9, 9, 8, 7, 6, 5, 5, 4, 4], mint),
        steps(
          120,
          630,
          32,
          [3, 4, 4, 5, 5, 6, 5, 5, 4, 3, 3, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 5, 5, 4, 4],
          leaf,
        ),
        rect(150, 560, 900, 80, green),
        path("M570 540H630L760 640H440Z", sky),
        zigzag(556, 566, 88, 22, 7, haze) + zigzag(520, 596, 160, 26, 8, haze),
      ),
      tree(270, 590, 0.8),
      hut(400, 584, 0.95, sand, clay) +
        hut(480, 600, 0.8, cream, umber) +
        hut(800, 590, 1.05, cream, clay) +
        hut(900, 606, 0.8, sand, umber),
      palm(710, 590, 0.62, greenDeep) + palm(970, 600, 0.8),
      path(
        "M600 640C460 560 250 560 90 620V752C250 700 460 704 600 770C740 704 950 700 1110 752V620C950 560 740 560 600 640Z",
        paper,
      ),
      path("M600 640C740 560 950 560 1110 620V752C950 700 740 704 600 770Z", sand, { opacity: 0.45 }),
      times(4, (index) =>
        path(
          `M140 ${650 + index * 20}C270 ${612 + index * 20} 430 ${618 + index * 20} 556 ${672 + index * 20}`,
          "none",
          { stroke: sand, strokeWidth: 6 },
        ),
      ),
      times(4, (index) =>
        path(
          `M1060 ${650 + index * 20}C930 ${612 + index * 20} 770 ${618 + index * 20} ${index === 3 ? 760 : 644} ${index === 3 ? 682 : 672 + index * 20}`,
          "none",
          { stroke: "#d8ccb0", strokeWidth: 6 },
        ),
      ),
      path(
        "M600 770C460 704 250 700 90 752V778C250 728 460 732 600 796C740 732 950 728 1110 778V752C950 700 740 704 600 770Z",
        greenDeep,
      ),
      path("M586 760h28v34l-14 -10l-14 10Z", gold),
    ),
};
