import { board, bookRow } from "../lib/books.ts";
import { cloth } from "../lib/cloth.ts";
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
  skins,
  soot,
  umber,
} from "../lib/palette.ts";
import { person, rowOfPupils } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { circle, line, path, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "classroom",
  alt: "A teacher explains fractions at the blackboard to a full class.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, cream),
      rect(0, 470, 1200, 330, mint),
      rect(0, 462, 1200, 12, leaf),
      cloth(0, 0, 30, 1, 40, 14),
      rect(150, 84, 700, 350, umber),
      rect(164, 98, 672, 322, soot),
      rect(150, 434, 700, 14, sand),
      circle(290, 226, 80, "none", { stroke: paper, strokeWidth: 6 }),
      path("M290 226V146A80 80 0 0 1 290 306Z", gold),
      line("M290 146V306M210 226H370", paper, 6),
      times(4, (index) =>
        rect(430 + index * 62, 160, 56, 56, index < 3 ? mint : "none", { stroke: paper, strokeWidth: 5 }),
      ),
      times(8, (index) =>
        rect(430 + index * 31, 246, 25, 56, index < 6 ? leaf : "none", { stroke: paper, strokeWidth: 5 }),
      ),
      line("M210 356h120M430 356h70M520 356h160", paper, 6, { opacity: 0.7 }),
      rect(910, 120, 250, 300, umber),
      rect(922, 132, 226, 276, greenDeep),
      bookRow(930, 258, 210, 108, 3),
      board(922, 258, 226, 10),
      bookRow(930, 400, 210, 110, 8),
      person({
        x: 760,
        y: 640,
        scale: 1.22,
        skin: skins[3],
        hair: "short",
        top: clay,
        sash: { seed: 12 },
        bottom: ink,
        arms: { left: [-110, -282, -178, -318], right: [70, -200, 40, -172] },
      }),
      line("M546 256L520 200", honey, 7),
      rowOfPupils(40, 848, 1120, 6, 0.95, [paper, paper, honey, paper], 1),
      rowOfPupils(-70, 960, 1340, 5, 1.35, [green, leaf, green, leaf], 3),
      times(5, (index) => rect(-10 + index * 250, 770, 220, 30, umber)),
    ),
};
