/**
 * Draws the shop's icon and its link preview into public/: `npm run draw -- icons`. Run it again when the shop's name or
 * tagline in shared/owner/shop.ts changes.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { shop } from "#shared/owner/shop.ts";
import { picture } from "./pictures/hero/shop.ts";
import { emOf, line } from "./pictures/lib/outlines.ts";

const publicFolder = join(import.meta.dirname, "../public");
const green = "#14503a";
const paper = "#fbf8f1";
const gold = "#e3a72f";
const clay = "#a63d22";
const ink = "#1b1f1a";

/** An open book on a 64-unit square, its pages edged with two steps of kente. */
const book = `
  <path fill="${paper}" d="M32 20c-5-4-12-5.5-20-5.5v30c8 0 15 1.5 20 5.5 5-4 12-5.5 20-5.5v-30c-8 0-15 1.5-20 5.5Z"/>
  <path fill="${gold}" d="M12 36c8 0 15 1.5 20 5.5 5-4 12-5.5 20-5.5v8.5c-8 0-15 1.5-20 5.5-5-4-12-5.5-20-5.5Z"/>
  <path fill="${clay}" d="M19 36.4c2.4.3 4.7.8 7 1.7v9c-2.3-.9-4.6-1.4-7-1.7ZM45 36.4c-2.4.3-4.7.8-7 1.7v9c2.3-.9 4.6-1.4 7-1.7Z"/>
  <path stroke="${green}" stroke-width="2.5" d="M32 20v30"/>`;

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${green}"/>${book}</svg>\n`;
/** Systems cut their own shape out of this one, so its colour reaches every edge and the book keeps away from them. */
const fullBleed = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 80 80"><rect x="-8" y="-8" width="80" height="80" fill="${green}"/>${book}</svg>`;

await writeFile(join(publicFolder, "favicon.svg"), favicon);
await writePng("icon-192.png", favicon, 192);
await writePng("icon-512.png", favicon, 512);
await writePng("icon-maskable-512.png", fullBleed, 512);
await writePng("apple-touch-icon.png", fullBleed, 180);
await writePng("link-preview.png", linkPreview(), 1200);

/** Name, tagline and a look into the shop over a strip of kente, 1200 by 630 as link previews want it. */
function linkPreview(): string {
  const [first = "", second = ""] = splitInTwo(shop.tagline);
  const inside = picture.draw();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
    <rect width="1200" height="630" fill="${green}"/>
    <svg x="690" y="0" width="510" height="598" viewBox="420 40 780 914" preserveAspectRatio="xMidYMid slice">${inside}</svg>
    <g transform="translate(48 56) scale(2)">${book}</g>
    ${line(shop.name, 70, 320, Math.min(84, 570 / emOf(shop.name)), paper)}
    ${line(first, 70, 392, 36, gold)}
    ${line(second, 70, 440, 36, gold)}
    ${Array.from({ length: 20 }, (_, step) => kenteStep(step * 60)).join("")}
  </svg>`;
}

function kenteStep(x: number): string {
  const parts = [
    [24, gold],
    [16, clay],
    [12, ink],
    [8, gold],
  ] as const;
  let from = x;
  return parts
    .map(([width, colour]) => {
      const part = `<rect x="${from}" y="598" width="${width}" height="32" fill="${colour}"/>`;
      from += width;
      return part;
    })
    .join("");
}

/** Two lines of about the same length. */
function splitInTwo(text: string): string[] {
  const words = text.split(" ");
  let first = "";
  while (words.length > 0 && first.length < text.length / 2) first += `${words.shift()} `;
  return [first.trim(), words.join(" ")];
}

async function writePng(name: string, svg: string, width: number): Promise<void> {
  const png = await sharp(Buffer.from(svg), { density: 300 })
    .resize({ width })
    .png({ palette: true, colours: 64, effort: 10 })
    .toBuffer();
  await writeFile(join(publicFolder, name), png);
}
