/** Books and what they stand on. */

import { bars, cloth, lozenge } from "./cloth.ts";
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
  sky,
  spines,
  umber,
} from "./palette.ts";
import { chance, circle, line, type Paint, path, place, poly, rect, times } from "./svg.ts";

const isPale = (colour: Paint) => [cream, mint, honey, gold, paper, "#b9d4e6"].includes(colour);

/** One upright book, its foot at `bottom`. `manner` 0 to 5 chooses the binding. */
function spine(x: number, bottom: number, w: number, h: number, colour: Paint, manner: number): string {
  const top = bottom - h;
  const mark = isPale(colour) ? (colour === gold ? greenDeep : green) : manner % 2 ? gold : cream;
  const thin = Math.max(3, h * 0.018);
  const bindings = [
    () =>
      rect(x, top + h * 0.14, w, thin, mark) +
      rect(x, top + h * 0.8, w, thin, mark) +
      rect(x, top + h * 0.84, w, thin, mark),
    () => rect(x + w * 0.28, top + h * 0.16, w * 0.44, h * 0.34, mark, { opacity: 0.9 }),
    () => rect(x, top + h * 0.1, w, h * 0.12, mark) + lozenge(x + w / 2, top + h * 0.7, w * 0.3, mark),
    () => bars(x, top + h * 0.62, w, h * 0.26, h * 0.05, h * 0.022, mark),
    () =>
      rect(x + w * 0.42, top + h * 0.14, Math.max(3, w * 0.14), h * 0.5, mark) +
      circle(x + w / 2, top + h * 0.84, w * 0.18, mark),
    () => rect(x, top + h * 0.72, w, h * 0.16, mark) + rect(x, top + h * 0.76, w, h * 0.03, colour),
  ];
  return (
    rect(x, top, w, h, colour, { r: 2 }) +
    (bindings[manner % bindings.length]?.() ?? "") +
    rect(x, top, Math.max(2, w * 0.1), h, ink, { opacity: 0.16 })
  );
}

/** A row of books from x to x + width on a board at `bottom`; the tallest is `height`. */
export function bookRow(
  x: number,
  bottom: number,
  width: number,
  height: number,
  seed: number,
  end = 0,
): string {
  const luck = chance(seed);
  const parts: string[] = [];
  let at = x;
  let colour: Paint = green;
  const limit = x + width - end;
  while (at < limit - height * 0.1) {
    const left = limit - at;
    const turn = luck.next();
    if (turn < 0.07 && left > height * 0.75) {
      const stackWidth = (height * luck.between(58, 70)) / 100;
      parts.push(stack(at + 2, bottom, stackWidth, luck.between(3, 5), height * 0.11, seed + Math.round(at)));
      at += stackWidth + 6;
      continue;
    }
    const w = Math.min(left, (height * luck.between(9, 21)) / 100);
    const h = (height * luck.between(72, 100)) / 100;
    const next = luck.of(spines);
    colour = next === colour ? luck.of(spines) : next;
    if (turn > 0.93 && left > height * 0.5) {
      const tilt = 11;
      parts.push(
        place(
          { x: at + h * 0.19, y: bottom - w * 0.19, turn: tilt },
          spine(-0, w * 0.0, w, h, colour, luck.between(0, 5)),
        ),
      );
      at += h * 0.19 + w + 6;
      continue;
    }
    parts.push(spine(at, bottom, w - 2, h, colour, luck.between(0, 5)));
    at += w;
  }
  return parts.join("");
}

/** Books lying on each other, `thick` each, their pages showing at the right. */
export function stack(
  x: number,
  bottom: number,
  w: number,
  count: number,
  thick: number,
  seed: number,
  colours?: readonly Paint[],
) {
  const luck = chance(seed);
  return times(count, (index) => {
    const inset = luck.between(0, w * 0.12);
    const width = w - inset - luck.between(0, w * 0.06);
    return lyingBook(
      x + inset,
      bottom - (index + 1) * thick,
      width,
      thick,
      colours?.[index % colours.length] ?? luck.of(spines),
      luck.next() > 0.5,
    );
  });
}

/** One lying book: its spine to the left, or to the right when turned. */
export function lyingBook(x: number, y: number, w: number, h: number, colour: Paint, turned = false): string {
  const board = h * 0.16;
  const mark = isPale(colour) ? green : gold;
  const body =
    rect(0, 0, w, h, colour, { r: h * 0.12 }) +
    rect(w * 0.12, board, w * 0.88, h - 2 * board, paper) +
    rect(w * 0.12, h * 0.42, w * 0.88, h * 0.05, sand) +
    rect(w * 0.12, h * 0.6, w * 0.88, h * 0.05, sand) +
    rect(w * 0.05, 0, w * 0.03, h, mark);
  return turned ? place({ x: x + w, y, flip: true }, body) : place({ x, y }, body);
}

/** A book seen from the front with a woven cover; no words. */
export function faceBook(
  x: number,
  y: number,
  w: number,
  colour: { ground: Paint; shade: Paint; middle: Paint; light: Paint },
  seed: number,
) {
  const h = (w * 4) / 3;
  const cell = w / 6;
  const threads = { shade: colour.shade, first: colour.light, second: colour.middle, accent: gold };
  const low = seed % 2 === 0;
  const words = low ? y + h * 0.12 : y + h * 0.42;
  return (
    rect(x + w * 0.03, y + h * 0.02, w, h, ink, { opacity: 0.18, r: 3 }) +
    rect(x, y, w, h, colour.ground, { r: 3 }) +
    cloth(x, low ? y + h - cell * 3 : y, 6, low ? 3 : 2, cell, seed, threads) +
    rect(x + w * 0.1, words, w * 0.62, h * 0.045, paper) +
    rect(x + w * 0.1, words + h * 0.085, w * 0.44, h * 0.045, paper) +
    rect(x + w * 0.1, words + h * 0.2, w * 0.3, h * 0.022, colour.light) +
    rect(x, y, w * 0.035, h, ink, { opacity: 0.2 })
  );
}

/** Cover colours for faceBook. */
export const covers = {
  green: { ground: green, shade: leaf, middle: "#5fa384", light: mint },
  clay: { ground: "#8f3420", shade: "#b85638", middle: "#d18a72", light: "#f6d6c9" },
  sky: { ground: "#1b5280", shade: "#3a7bad", middle: "#6da0c7", light: "#b4d3ea" },
  umber: { ground: "#5d3a19", shade: "#8f6033", middle: "#b68f67", light: "#ebd1af" },
  olive: { ground: "#425615", shade: "#67802b", middle: "#94a85e", light: "#d3e0a5" },
  soot: { ground: "#27322d", shade: "#43554c", middle: "#6d8c7a", light: "#a8d8bb" },
  wine: { ground: "#5f2537", shade: "#8d4459", middle: "#b67a89", light: "#eec4ce" },
} as const;

/** An open book seen from its reader's side, `w` across, its gutter at x, y. */
export function openBook(x: number, y: number, w: number, cover: Paint = green, lines = true): string {
  const half = w / 2;
  const h = w * 0.36;
  const page = (side: 1 | -1) =>
    path(
      `M0 0C${side * half * 0.3} ${-h * 0.18} ${side * half * 0.72} ${-h * 0.14} ${side * half} 0V${h}C${side * half * 0.72} ${h * 0.86} ${side * half * 0.3} ${h * 0.82} 0 ${h}Z`,
      side > 0 ? paper : white(side),
    );
  const text = (side: 1 | -1) =>
    times(5, (index) =>
      line(
        `M${side * half * 0.14} ${h * (0.16 + index * 0.14)}C${side * half * 0.4} ${h * (0.06 + index * 0.14)} ${side * half * 0.7} ${h * (0.07 + index * 0.14)} ${side * half * (index === 4 ? 0.6 : 0.86)} ${h * (0.13 + index * 0.14)}`,
        sand,
        Math.max(3, w * 0.012),
      ),
    );
  return place(
    { x, y },
    path(
      `M0 ${h * 0.1}L${half * 1.05} ${h * 0.02}V${h * 1.07}L0 ${h * 1.1}L${-half * 1.05} ${h * 1.07}V${h * 0.02}Z`,
      cover,
    ),
    page(-1),
    page(1),
    lines ? text(-1) + text(1) : "",
    line(`M0 2V${h - 2}`, sand, Math.max(3, w * 0.01)),
  );
}

const white = (_side: number) => "#fffdf8";

/** A shelf board with its shadow on what stands below. */
export function board(x: number, y: number, w: number, thick: number, wood: Paint = umber): string {
  return rect(x, y, w, thick, wood) + rect(x, y + thick, w, thick * 0.5, ink, { opacity: 0.14 });
}

/** A pencil lying flat, its point to the right: `long` × `thick`. */
export function pencil(x: number, y: number, long: number, thick: number, colour: Paint, turn = 0): string {
  const point = thick * 1.5;
  return place(
    { x, y, turn },
    rect(0, -thick / 2, thick * 0.9, thick, clay, { r: thick * 0.2 }),
    rect(thick * 0.7, -thick / 2, thick * 0.5, thick, sand),
    rect(thick * 1.2, -thick / 2, long - thick * 1.2 - point, thick, colour),
    rect(thick * 1.2, -thick / 6, long - thick * 1.2 - point, thick / 3, ink, { opacity: 0.14 }),
    poly(
      [
        [long - point, -thick / 2],
        [long, 0],
        [long - point, thick / 2],
      ],
      sand,
    ),
    poly(
      [
        [long - point * 0.34, -thick * 0.17],
        [long, 0],
        [long - point * 0.34, thick * 0.17],
      ],
      ink,
    ),
  );
}

/** A ruler with its marks. */
export function ruler(
  x: number,
  y: number,
  long: number,
  wide: number,
  colour: Paint = honey,
  turn = 0,
): string {
  return place(
    { x, y, turn },
    rect(0, 0, long, wide, colour, { r: 3 }),
    times(Math.floor(long / 14) - 1, (index) =>
      rect(12 + index * 14, 0, 2.5, index % 5 === 0 ? wide * 0.46 : wide * 0.26, ink),
    ),
  );
}

/** A globe on its stand, `r` its radius, its middle at x, y. */
export function globe(x: number, y: number, r: number): string {
  return place(
    { x, y },
    line(`M${r * 0.72} ${-r * 0.98}A${r * 1.2} ${r * 1.2} 0 1 1 ${-r * 0.98} ${r * 0.72}`, umber, r * 0.1),
    rect(-r * 0.07, r * 1.15, r * 0.14, r * 0.32, umber),
    path(`M${-r * 0.6} ${r * 1.6}a${r * 0.6} ${r * 0.22} 0 0 1 ${r * 1.2} 0Z`, umber),
    circle(0, 0, r, sky),
    path(
      `M${-r * 0.42} ${-r * 0.62}h${r * 0.46}v${r * 0.14}h${r * 0.3}v${r * 0.3}h${r * 0.18}v${r * 0.28}h${-r * 0.2}v${r * 0.26}h${-r * 0.14}v${r * 0.34}h${-r * 0.22}v${-r * 0.4}h${-r * 0.12}v${-r * 0.3}h${-r * 0.44}v${-r * 0.34}h${r * 0.18}Z`,
      mint,
    ),
    rect(r * 0.02, -r * 0.06, r * 0.13, r * 0.15, gold),
    path(
      `M${r * 0.5} ${-r * 0.8}h${r * 0.2}v${r * 0.18}h${r * 0.18}v${r * 0.2}a${r} ${r} 0 0 0 ${-r * 0.38} ${-r * 0.38}Z`,
      mint,
    ),
    line(
      `M${-r * 0.98} 0h${r * 1.96}M${-r * 0.86} ${r * 0.5}h${r * 1.72}M${-r * 0.86} ${-r * 0.5}h${r * 1.72}`,
      paper,
      r * 0.015,
      { opacity: 0.45 },
    ),
    path(
      `M${r * 0.3} ${-r * 0.955}A${r} ${r} 0 0 1 ${r * 0.3} ${r * 0.955}A${r * 1.3} ${r * 1.3} 0 0 0 ${r * 0.3} ${-r * 0.955}Z`,
      ink,
      { opacity: 0.14 },
    ),
  );
}

/** A parcel tied with woven ribbon. */
export function parcel(
  x: number,
  bottom: number,
  w: number,
  h: number,
  seed = 3,
  card: Paint = "#d3b184",
): string {
  const rows = Math.max(2, Math.round(h / (w * 0.16)));
  const size = h / rows;
  return (
    rect(x, bottom - h, w, h, card, { r: 3 }) +
    rect(x, bottom - h, w, h * 0.14, ink, { opacity: 0.07 }) +
    cloth(x + w * 0.56, bottom - h, 1, rows, size, seed) +
    bars(x + w * 0.1, bottom - h * 0.36, w * 0.28, h * 0.22, h * 0.08, h * 0.035, ink, 0.5)
  );
}
