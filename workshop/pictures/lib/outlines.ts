/** Text in the shop's typeface, for pictures. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type Font } from "fontkit";
import { displayFontUrl } from "#app/styles/display-font.ts";

const face = create(await readFile(join(import.meta.dirname, "../../../public", displayFontUrl))) as Font;

/** Width of a text in em. */
export function emOf(text: string): number {
  return face.layout(text).advanceWidth / face.unitsPerEm;
}

/** A line of text as outlines, because no picture library loads the shop's typeface. */
export function line(text: string, x: number, y: number, size: number, colour: string): string {
  const { glyphs, positions } = face.layout(text);
  const scale = size / face.unitsPerEm;
  let pen = 0;
  const outlines = glyphs.map((glyph, index) => {
    const outline = `<path transform="translate(${pen} 0)" d="${glyph.path.toSVG()}"/>`;
    pen += positions[index]?.xAdvance ?? 0;
    return outline;
  });
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})" fill="${colour}">${outlines.join("")}</g>`;
}
