import { seedOf } from "#app/features/book-covers/cover-cloth.ts";
import type { CoverColours } from "#app/features/book-covers/cover-colours.ts";
import { shop } from "#shared/owner/shop.ts";
import { emOf, line } from "./outlines.ts";
import { weave } from "./weave.ts";

const paper = "#fbf8f1";
const gold = "#e3a72f";
const width = 480;
const height = 252;
const block = 40;
const rows = 4;

/** The shop's name above a cloth pattern like those on generated covers, in the 1200:630 format of link previews. */
export function drawLinkPicture({ from, to, shade, middle, light }: CoverColours): string {
  const top = height - rows * block;
  const cloth = weave(seedOf(from), { left: 0, top, columns: width / block, rows });
  const size = Math.min(40, (width - 2 * block) / emOf(shop.name));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
    <linearGradient id="ground" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
    <rect width="${width}" height="${height}" fill="url(#ground)"/>
    <path fill="${shade}" d="${cloth.ground}"/>
    <path fill="${light}" d="${cloth.first}"/>
    <path fill="${middle}" d="${cloth.second}"/>
    <path fill="${gold}" d="${cloth.accent}"/>
    ${line(shop.name, block, 60, size, paper)}
  </svg>`;
}
