import { parcel } from "../lib/books.ts";
import { cloth, rings, steps, zigzag } from "../lib/cloth.ts";
import {
  clay,
  cream,
  gold,
  green,
  greenDeep,
  honey,
  ink,
  leaf,
  paper,
  sky,
  soot,
  umber,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { palm, skyStrips, van } from "../lib/scenery.ts";
import { circle, line, path, place, rect, svg, times } from "../lib/svg.ts";

/** Height of the arch over the deck at x. */
const arch = (x: number) => 470 - 330 * (1 - ((x - 600) / 520) ** 2);

export const picture: Picture = {
  name: "bridge",
  alt: "The shop's van crosses an arched bridge over the Volta at sunset; a canoe passes below.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      skyStrips(1200, 520, ["#e9b58f", "#eec29a", "#f2cfa6", "#f5dcb4", "#f7e6c3"]),
      rings(330, 330, 120, clay, "#eec29a"),
      steps(0, 560, 50, [4, 5, 6, 7, 7, 6, 5, 4, 3, 3, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5], "#9fb9a2"),
      steps(
        0,
        580,
        40,
        [3, 4, 4, 5, 5, 4, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 5, 5, 4],
        leaf,
      ),
      rect(0, 560, 1200, 240, sky),
      times(6, (index) =>
        zigzag(
          -30 + (index % 2) * 26,
          590 + index * 36,
          1280,
          34 + index * 5,
          6 + index,
          index % 2 ? "#3a7bad" : "#6da0c7",
        ),
      ),
      path("M330 560A120 120 0 0 0 210 640H450A120 120 0 0 0 330 560Z", clay, { opacity: 0.35 }),
      path("M0 560H200V620H120V680H0Z", green) + path("M1200 540H1010V600H1080V660H1200Z", green),
      rect(150, 470, 40, 130, "#8d8470") + rect(1010, 470, 40, 130, "#8d8470"),
      path("M80 470Q600 -190 1120 470", "none", { stroke: greenDeep, strokeWidth: 22 }),
      times(12, (index) => {
        const x = 160 + index * 80;
        return line(`M${x} ${arch(x)}V470`, greenDeep, 7);
      }),
      times(11, (index) => {
        const x = 160 + index * 80;
        return line(`M${x} ${arch(x)}L${x + 80} 470M${x + 80} ${arch(x + 80)}L${x} 470`, greenDeep, 3, {
          opacity: 0.55,
        });
      }),
      van(
        470,
        472,
        0.62,
        cream,
        cloth(14, -138, 11, 1, 26, 9) + rect(10, -112, 290, 6, gold),
        parcel(50, -232, 90, 54, 3) + parcel(150, -232, 70, 74, 8, "#c9a473") + parcel(228, -232, 80, 46, 5),
        paper,
      ),
      rect(0, 466, 1200, 34, soot),
      rect(0, 466, 1200, 7, honey),
      rect(0, 500, 1200, 12, greenDeep),
      palm(90, 600, 1.15) + palm(1130, 580, 1.3) + palm(1060, 600, 0.8, leaf),
      place(
        { x: 780, y: 690 },
        place(
          { x: -60, y: 6, scale: 0.5 },
          path("M-58 0L-40 -130Q0 -150 40 -130L58 0Z", gold),
          circle(0, -176, 34, "#4a2f21"),
          path("M-36 -182Q-36 -222 0 -222Q36 -222 36 -182Z", ink),
        ),
        place(
          { x: 70, y: 8, scale: 0.46 },
          path("M-58 0L-40 -130Q0 -150 40 -130L58 0Z", clay),
          circle(0, -176, 34, "#5f3d2a"),
          path("M-38 -178Q-44 -224 0 -228Q44 -224 38 -178Z", honey),
        ),
        path("M-190 -30Q0 46 200 -34L170 26Q0 66 -160 26Z", umber) + zigzag(-130, 18, 260, 26, 7, gold),
        line("M90 -50L150 96", "#5d3a19", 9),
      ),
    ),
};
