/** What a file in workshop/pictures/covers gives, and how titles are set on covers. */
import { readFileSync } from "node:fs";
import { create, type Font } from "fontkit";
import { setTitle } from "#app/features/book-covers/cover-title.ts";
import { ink, paper } from "./palette.ts";
import { type Paint, path, place, rect, svg } from "./svg.ts";

export interface CoverPicture {
  /** Which books it is for: the slug of their title (or of its beginning), or of the field `of`. */
  slug: string;
  of?: "publisher" | "subject" | "course";
  /** 600 × 800, as SVG. */
  draw: () => string;
}

const face = create(
  readFileSync(
    `${import.meta.dirname}/../../../node_modules/@expo-google-fonts/brygada-1918/600SemiBold/Brygada1918_600SemiBold.ttf`,
  ),
) as Font;

/** One line of the display face as a path, its baseline beginning at x, y. */
export function letters(text: string, x: number, y: number, size: number, fill: Paint = paper): string {
  const run = face.layout(text);
  let at = 0;
  const scale = size / face.unitsPerEm;
  const drawn = run.glyphs.map((glyph, index) => {
    const position = run.positions[index];
    const d = glyph.path.toSVG();
    const part = d ? `<path d="${d}" transform="translate(${at + (position?.xOffset ?? 0)} 0)"/>` : "";
    at += position?.xAdvance ?? 0;
    return part;
  });
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${drawn.join("")}</g>`;
}

/** A title in lines as large as `width` and `depth` allow; the first baseline is at y. */
export function title(
  text: string,
  x: number,
  y: number,
  width: number,
  depth: number,
  fill: Paint = paper,
): string {
  const unit = 2.4;
  const set = setTitle(text, width / unit, depth / unit);
  return place(
    { x, y, scale: unit },
    ...set.lines.map((line, index) => letters(line, 0, index * set.lineHeight, set.fontSize, fill)),
  );
}

/** A short gold rule under a series name, as the series' mark. */
export function series(text: string, x: number, y: number, fill: Paint = paper): string {
  return letters(text, x, y, 30, fill) + path(`M${x} ${y + 18}h72v6h-72z`, "#e3a72f");
}

/** A cover's parts on its board, the hinge shaded. */
export function bound(...parts: string[]): string {
  return svg(600, 800, ...parts, rect(0, 0, 14, 800, ink, { opacity: 0.14 }));
}
