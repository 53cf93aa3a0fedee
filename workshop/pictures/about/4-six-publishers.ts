import { covers, faceBook, stack } from "../lib/books.ts";
import { cloth, rings } from "../lib/cloth.ts";
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
  sky,
  umber,
} from "../lib/palette.ts";
import type { Picture } from "../lib/picture.ts";
import { rect, svg } from "../lib/svg.ts";

/** One house each: its book, the colours of its stack, and how high its plinth stands (in rows of cloth). */
const houses = [
  { book: covers.green, stack: [green, mint, leaf], rows: 3, seed: 11 },
  { book: covers.clay, stack: [clay, cream, "#b85638"], rows: 5, seed: 28 },
  { book: covers.sky, stack: [sky, haze, "#3a7bad"], rows: 4, seed: 9 },
  { book: covers.umber, stack: [umber, honey, "#8f6033"], rows: 6, seed: 14 },
  { book: covers.olive, stack: ["#425615", cream, "#67802b"], rows: 4, seed: 31 },
  { book: covers.wine, stack: ["#5f2537", "#eec4ce", "#8d4459"], rows: 5, seed: 6 },
] as const;

export const picture: Picture = {
  name: "six-publishers",
  alt: "Six stacks of books, each in its own colours, on six plinths of woven cloth.",
  width: 1200,
  height: 800,
  draw: () =>
    svg(
      1200,
      800,
      rect(0, 0, 1200, 800, honey),
      rings(600, 420, 400, "#f5dfab", honey),
      rect(0, 740, 1200, 60, "#d9b25a"),
      houses
        .map(({ book, stack: paints, rows, seed }, index) => {
          const x = 60 + index * 184;
          const top = 740 - rows * 40;
          const threads = {
            ground: book.ground,
            shade: book.shade,
            first: book.light,
            second: book.middle,
            accent: gold,
          };
          return (
            rect(x + 10, top + 8, 160, rows * 40 - 8, ink, { opacity: 0.16 }) +
            cloth(x, top, 4, rows, 40, seed * 7, threads) +
            rect(x - 8, top - 12, 176, 14, paper) +
            stack(x + 14, top - 12, 136, 3 + (index % 2), 26, seed, paints) +
            faceBook(x + 34, top - 12 - (3 + (index % 2)) * 26 - 121, 91, book, index + 2)
          );
        })
        .join(""),
      rect(0, 738, 1200, 6, greenDeep),
    ),
};
