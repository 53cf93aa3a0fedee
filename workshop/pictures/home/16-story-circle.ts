import { openBook } from "../lib/books.ts";
import { bars, cloth, rings } from "../lib/cloth.ts";
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
  skins,
  sky,
  umber,
} from "../lib/palette.ts";
import { person, rowOfPupils } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { ellipse, path, place, rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "story-circle",
  alt: "A teacher on a carved stool reads aloud to children who sit around her on the floor.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, clay),
      bars(0, 0, 1200, 520, 74, 2, "#8f3420", 0.6),
      rings(600, 300, 310, "#b85638", clay),
      cloth(40, 60, 2, 7, 60, 51, {
        ground: greenDeep,
        shade: green,
        first: mint,
        second: leaf,
        accent: gold,
      }),
      cloth(1040, 60, 2, 7, 60, 51, {
        ground: greenDeep,
        shade: green,
        first: mint,
        second: leaf,
        accent: gold,
      }),
      rect(28, 48, 144, 14, umber) + rect(1028, 48, 144, 14, umber),
      rect(0, 520, 1200, 280, honey),
      ellipse(600, 690, 640, 150, gold, { opacity: 0.55 }),
      place(
        { x: 600, y: 650 },
        path("M-110 -120Q0 -92 110 -120V-92Q0 -62 -110 -92Z", umber),
        path("M-60 -84Q-20 -40 -60 -6H60Q20 -40 60 -84Z", "#5d3a19"),
        rect(-110, -10, 220, 20, umber, { r: 4 }),
      ),
      path("M470 640Q500 500 545 470H655Q700 500 730 640Q600 668 470 640Z", green),
      times(5, (index) =>
        path(`M${500 + index * 42} ${628 - Math.abs(2 - index) * 6}l10 -10l10 10l-10 10Z`, gold),
      ),
      person({
        x: 600,
        y: 700,
        scale: 1.34,
        skin: skins[0],
        hair: "wrap",
        wrap: gold,
        top: paper,
        sash: { seed: 9 },
        pose: "bust",
        arms: { left: [-88, -206, -58, -168], right: [88, -206, 60, -168] },
      }),
      place({ x: 600, y: 446 }, openBook(0, 0, 220, sky, false)),
      path("M488 452Q540 430 600 450Q660 430 712 452V462Q660 446 600 464Q540 446 488 462Z", ink, {
        opacity: 0.12,
      }),
      rowOfPupils(150, 800, 260, 2, 0.86, [cream, leaf], 1),
      rowOfPupils(790, 800, 260, 2, 0.86, [haze, cream], 4),
      rowOfPupils(-50, 890, 1300, 6, 1.12, [leaf, paper, sky, green, paper, haze], 6),
    ),
};
