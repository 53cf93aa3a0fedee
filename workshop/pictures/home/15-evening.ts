import { board, bookRow, openBook, stack } from "../lib/books.ts";
import { cloth, zigzag } from "../lib/cloth.ts";
import {
  clay,
  cream,
  gold,
  greenDeep,
  haze,
  honey,
  ink,
  leaf,
  mint,
  paper,
  skins,
  umber,
} from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { box, circle, clipped, line, place, poly, rect, svg, times } from "../lib/svg.ts";

const night = "#12304a";

export const picture: Picture = {
  name: "evening-study",
  alt: "A student revises under a lamp at night; a lighthouse shines over the sea outside.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, greenDeep),
      poly(
        [
          [222, 300],
          [60, 800],
          [900, 800],
          [360, 240],
        ],
        "#1d5b44",
      ),
      poly(
        [
          [250, 300],
          [200, 800],
          [720, 800],
          [340, 250],
        ],
        "#2f7056",
        { opacity: 0.6 },
      ),
      rect(640, 70, 470, 400, umber),
      clipped(
        box(658, 88, 434, 364),
        rect(658, 88, 434, 364, night),
        rect(658, 230, 434, 60, "#173d5c"),
        circle(770, 160, 42, honey) + circle(788, 150, 36, night),
        times(14, (index) =>
          circle(670 + ((index * 137) % 410), 104 + ((index * 71) % 150), index % 3 ? 2.5 : 4, cream),
        ),
        poly(
          [
            [985, 180],
            [658, 120],
            [658, 220],
          ],
          honey,
          { opacity: 0.32 },
        ),
        rect(658, 340, 434, 120, "#0f5560"),
        zigzag(658, 372, 440, 36, 6, "#3b8a92") +
          zigzag(640, 404, 470, 44, 7, "#2a7480") +
          zigzag(658, 438, 440, 50, 8, "#3b8a92"),
        poly(
          [
            [940, 352],
            [956, 210],
            [1014, 210],
            [1030, 352],
          ],
          cream,
        ),
        poly(
          [
            [945, 312],
            [950, 268],
            [1020, 268],
            [1025, 312],
          ],
          clay,
        ) +
          rect(950, 200, 70, 12, umber) +
          rect(964, 168, 42, 32, honey) +
          poly(
            [
              [956, 168],
              [985, 140],
              [1014, 168],
            ],
            clay,
          ),
        poly(
          [
            [880, 356],
            [920, 330],
            [1100, 326],
            [1100, 380],
            [880, 380],
          ],
          ink,
          { opacity: 0.7 },
        ),
      ),
      rect(868, 70, 14, 400, umber) + rect(626, 470, 498, 18, "#84562f"),
      cloth(600, 40, 1, 8, 56, 18) + cloth(1096, 40, 1, 8, 56, 18) + rect(586, 32, 580, 12, honey),
      board(60, 190, 210, 14) + bookRow(70, 190, 190, 116, 14),
      person({
        x: 486,
        y: 860,
        scale: 1.62,
        skin: skins[1],
        hair: "round",
        top: gold,
        pose: "bust",
        bow: 4,
        arms: { left: [-84, -186, -40, -132], right: [84, -186, 52, -136] },
      }),
      rect(60, 660, 1080, 30, "#84562f") + rect(60, 690, 1080, 12, ink, { opacity: 0.3 }),
      rect(100, 702, 30, 100, "#5d3a19") + rect(1070, 702, 30, 100, "#5d3a19"),
      place({ x: 492, y: 582 }, openBook(0, 0, 330, clay)),
      line("M150 656L150 470L262 306", mint, 12),
      circle(150, 470, 12, honey) + rect(95, 640, 110, 20, mint, { r: 8 }),
      place(
        { x: 286, y: 280, turn: -24 },
        poly(
          [
            [-34, -30],
            [34, -30],
            [78, 50],
            [-78, 50],
          ],
          leaf,
        ),
        rect(-20, -48, 40, 20, mint, { r: 6 }),
        rect(-70, 50, 140, 10, honey, { r: 5 }),
      ),
      stack(800, 660, 210, 5, 30, 81, [clay, cream, gold, haze, leaf]),
      rect(1040, 600, 56, 60, paper, { r: 6 }) +
        circle(1100, 630, 17, "none", { stroke: paper, strokeWidth: 8 }),
    ),
};
