import { openBook, stack } from "../lib/books.ts";
import { cloth } from "../lib/cloth.ts";
import {
  cream,
  gold,
  green,
  greenDeep,
  honey,
  ink,
  leaf,
  sand,
  skins,
  umber,
  white,
} from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { lightField, louvres } from "../lib/scenery.ts";
import { place, rect, svg } from "../lib/svg.ts";

export const picture: Picture = {
  name: "reading",
  alt: "A girl reads at a desk in the light of a louvred window.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, honey),
      rect(0, 0, 1200, 800, sand, { opacity: 0.55 }),
      rect(0, 560, 1200, 240, green),
      rect(0, 552, 1200, 10, greenDeep),
      louvres(110, 90, 330, 380),
      lightField(520, 60, 420, 700, 260, white, 0.35),
      cloth(1040, 0, 2, 11, 60, 21),
      rect(1030, -10, 140, 22, umber),
      person({
        x: 640,
        y: 830,
        scale: 1.75,
        skin: skins[1],
        hair: "puffs",
        top: cream,
        pinafore: leaf,
        pose: "bust",
        bow: 6,
        arms: { left: [-92, -176, -56, -118], right: [92, -176, 60, -118] },
      }),
      rect(240, 640, 800, 34, umber),
      rect(240, 674, 800, 14, ink, { opacity: 0.25 }),
      rect(280, 688, 26, 120, umber),
      rect(974, 688, 26, 120, umber),
      place({ x: 640, y: 562 }, openBook(0, 0, 330, gold)),
      stack(300, 640, 190, 4, 30, 15),
      rect(900, 566, 62, 74, "#2f6f9f", { r: 8 }),
      place(
        { x: 912, y: 580, turn: -8 },
        rect(0, -70, 10, 80, gold),
        rect(18, -84, 10, 90, "#a63d22"),
        rect(34, -60, 10, 70, ink),
      ),
      rect(900, 566, 62, 74, "#1f5c8b", { r: 8 }),
    ),
};
