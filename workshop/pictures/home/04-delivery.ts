import { parcel, stack } from "../lib/books.ts";
import { cloth, rings, steps } from "../lib/cloth.ts";
import { cream, gold, green, greenDeep, honey, leaf, mint, sand, soot, white } from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { fields, palm, skyStrips, tree, van } from "../lib/scenery.ts";
import { rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "delivery",
  alt: "A van with parcels of books on its roof drives through green hills at sunrise.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      skyStrips(1200, 480, ["#f7e9c4", "#f8e3b0", "#f6dc9c", "#f5d58c", "#f3cd7b"]),
      rings(880, 300, 130, gold, "#f6dc9c"),
      steps(0, 500, 60, [1, 2, 2, 3, 4, 4, 5, 5, 4, 3, 3, 2, 2, 1, 1, 2, 3, 3, 2, 1], mint),
      steps(
        0,
        520,
        40,
        [1, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2],
        "#6fa98b",
      ),
      tree(180, 560, 0.9),
      palm(1060, 570, 1),
      palm(1130, 560, 0.7, leaf),
      fields(1200, 520, 690, [leaf, green, leaf]),
      rect(0, 680, 1200, 120, soot),
      times(9, (index) => rect(30 + index * 140, 736, 70, 8, honey)),
      rect(0, 676, 1200, 8, sand),
      van(
        330,
        728,
        1.5,
        cream,
        cloth(14, -138, 11, 1, 26, 9) + rect(10, -112, 290, 6, gold),
        parcel(40, -232, 90, 54, 3) +
          parcel(140, -232, 70, 74, 8, "#c9a473") +
          parcel(218, -232, 84, 46, 5) +
          stack(60, -286, 70, 2, 16, 5),
        white,
      ),
      rect(0, 790, 1200, 10, greenDeep),
    ),
};
