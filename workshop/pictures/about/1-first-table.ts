import { bookRow, covers, faceBook, parcel, stack } from "../lib/books.ts";
import { cloth, rings, steps } from "../lib/cloth.ts";
import { clay, cream, gold, green, honey, leaf, mint, paper, sand, skins, umber } from "../lib/palette.ts";
import { person } from "../lib/people.ts";
import type { Picture } from "../lib/picture.ts";
import { skyStrips, tree, umbrella } from "../lib/scenery.ts";
import { rect, svg, times } from "../lib/svg.ts";

export const picture: Picture = {
  name: "first-table",
  alt: "How it began: one table of books under an umbrella by the road, and a man reading behind it.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      skyStrips(1200, 500, ["#f8ecd0", "#f7e6c1", "#f5dfb0", "#f3d8a0"]),
      rings(1010, 190, 90, honey, "#f8ecd0"),
      steps(0, 540, 60, [2, 3, 3, 4, 4, 3, 2, 2, 1, 1, 2, 2, 3, 4, 5, 5, 4, 3, 3, 2], mint),
      rect(0, 530, 1200, 270, leaf),
      rect(0, 600, 1200, 200, "#d8b98c"),
      rect(0, 600, 1200, 12, "#c4a273"),
      times(12, (index) => rect((index * 191) % 1160, 640 + ((index * 47) % 140), 60, 5, "#c4a273")),
      tree(180, 600, 1.25),
      umbrella(640, 700, 700, 620, [green, gold, green, gold, green]),
      person({
        x: 560,
        y: 720,
        scale: 1.22,
        skin: skins[0],
        hair: "short",
        top: paper,
        sash: { seed: 6 },
        pose: "bust",
        bow: 5,
        arms: { left: [-84, -196, -34, -176], right: [84, -196, 40, -178] },
      }),
      faceBook(526, 462, 78, covers.clay, 4),
      rect(350, 560, 560, 20, umber),
      cloth(350, 580, 14, 2, 40, 27),
      rect(372, 660, 16, 110, umber) + rect(872, 660, 16, 110, umber),
      bookRow(640, 560, 250, 104, 19),
      stack(370, 560, 130, 4, 20, 23, [green, clay, honey, leaf]),
      parcel(980, 770, 130, 96, 4),
      stack(120, 770, 170, 2, 28, 31, [sand, cream]),
    ),
};
