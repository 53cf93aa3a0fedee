/**
 * Makes the delivered pictures from their originals in workshop/pictures/: `npm run draw -- pictures`.
 *
 * Each original is code that writes an SVG. Its text's hash is part of the delivered names, so that browsers may keep
 * a file forever and only what changed is encoded again. Written besides the files in public/pictures:
 *   app/features/home/home-pictures.ts, app/features/about/about-pictures.ts, app/features/book-covers/built-in-covers.ts,
 *   app/features/book-page/link-pictures.ts
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import sharp from "sharp";
import { aboutModule, coversModule, homeModule, linksModule } from "./picture-modules.ts";
import { type Original, originals } from "./pictures/originals.ts";

const kept = new Set<string>();

/** Encodes one original in each of its widths, unless that was done before. */
async function deliver(original: Original): Promise<void> {
  await mkdir(`public/pictures/${original.folder}`, { recursive: true });
  for (const { file, width, format } of original.files) {
    const target = `public${file}`;
    kept.add(target);
    if (existsSync(target)) continue;
    const encoded = await encode(original, width, format);
    await writeFile(target, encoded);
    console.log(`${target}  ${encoded.length} bytes`);
  }
}

function encode({ svg, quality }: Original, width: number, format: Original["files"][number]["format"]) {
  // An SVG without a size of its own is drawn as large as its view box: 300 dots per inch keep its edges sharp.
  const image = sharp(Buffer.from(svg), format === "png" ? { density: 300 } : {}).resize(width);
  if (format === "avif") return image.avif({ quality, effort: 5, chromaSubsampling: "4:4:4" }).toBuffer();
  if (format === "webp") return image.webp({ quality: quality + 10, effort: 5 }).toBuffer();
  if (format === "jpeg") return image.jpeg({ quality: 72, mozjpeg: true }).toBuffer();
  return image.png({ palette: true, colours: 48, effort: 10 }).toBuffer();
}

async function removeStale(): Promise<void> {
  for (const entry of await readdir("public/pictures", { recursive: true, withFileTypes: true })) {
    const path = `${entry.parentPath}/${entry.name}`;
    if (entry.isFile() && !kept.has(path)) await rm(path);
  }
}

for (const original of originals) await deliver(original);
await removeStale();
const modules = {
  "app/features/home/home-pictures.ts": homeModule(originals),
  "app/features/about/about-pictures.ts": aboutModule(originals),
  "app/features/book-covers/built-in-covers.ts": coversModule(originals),
  "app/features/book-page/link-pictures.ts": linksModule(originals),
};
for (const [file, text] of Object.entries(modules)) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
execFileSync("node_modules/.bin/biome", ["format", "--write", ...Object.keys(modules)], { stdio: "ignore" });
console.log(`${kept.size} files from ${originals.length} originals`);
