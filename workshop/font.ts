/**
 * Makes the delivered display face: `npm run draw -- font`.
 *
 * Reads the full fonts from their packages, keeps what a school bookshop in Ghana writes (English, French, the
 * letters of Twi, Ewe, Ga, Dagbani and Hausa, the cedi sign), and writes
 *   public/fonts/display-HASH.woff2        the face, one semi-bold
 *   public/fonts/display-capitals-HASH.woff2  the few African capitals that face lacks, fetched only when one is shown
 *   app/styles/fonts.css                   the @font-face rules with metric-matched fallbacks, and --font-display
 *   app/styles/display-font.ts             the face's address, for the preload link
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { create, type Font } from "fontkit";
import subsetFont from "subset-font";
import { displayFace, fallbackFace } from "./font-face.ts";

const fontsFolder = "public/fonts";
const face = {
  source: "node_modules/@expo-google-fonts/brygada-1918/600SemiBold/Brygada1918_600SemiBold.ttf",
  licence: "node_modules/@expo-google-fonts/brygada-1918/LICENSE_FONT",
};
const capitals = {
  source: "node_modules/@expo-google-fonts/gelasio/600SemiBold/Gelasio_600SemiBold.ttf",
  licence: "node_modules/@expo-google-fonts/gelasio/LICENSE_FONT",
};

const faceText = [
  range(0x20, 0x7e),
  range(0xa0, 0xff),
  "ŒœŠšŽžŸŋŊıŁłŃńŚśŹźŻżĄąĆćĘęĂăÃãĨĩŨũẼẽƒɖɛɔɣʋʒɓɗƙƴ",
  "\u0300\u0301\u0302\u0303\u0304\u0308",
  "–—‘’‚“”„†•…‹›€₵™−←→",
].join("");
const capitalsText = "ƁƆƉƊƎƐƘƳƷ";

/** A heading in the shop's own manner: what the fallbacks' average letter width is measured on. */
const sampleText =
  "Cambridge Primary Mathematics Learner's Book 4 for every classroom in Ghana. Expert Resource Selection Guidance; " +
  "Science, English and History from early years to A Level. Shop Books, My Wishlist, Why Choose? " +
  "GH₵1,234.50 10+ years, 6 publishers, 16 regions 98% 0123456789";

/**
 * The serif faces that people have, with the average advance over `sampleText` in em. Georgia's bold was measured on
 * its metric twin Gelasio Bold, Times New Roman's on Liberation Serif Bold, the others on themselves.
 */
const fallbacks = [
  { family: "Display Georgia", local: ["Georgia Bold", "Georgia-Bold"], averageEm: 0.5391 },
  { family: "Display Noto", local: ["Noto Serif Bold", "NotoSerif-Bold"], averageEm: 0.5243 },
  {
    family: "Display Times",
    local: [
      "Times New Roman Bold",
      "TimesNewRomanPS-BoldMT",
      "Liberation Serif Bold",
      "LiberationSerif-Bold",
    ],
    averageEm: 0.4515,
  },
  { family: "Display DejaVu", local: ["DejaVu Serif Bold", "DejaVuSerif-Bold"], averageEm: 0.5922 },
];

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/**
 * Gives all tabular figures one width: in the package's semi-bold the tabular 7 and 9 miss theirs by up to a tenth.
 * Changes the advance in the hmtx table of `original` in place, and half of the difference in the left side bearing.
 */
function levelFigures(original: Buffer, font: Font): void {
  const table = (font as unknown as { directory: { tables: Record<string, { offset: number }> } }).directory
    .tables.hmtx;
  if (!table) throw new Error("the font has no hmtx table");
  const figures = [..."0123456789"].flatMap((figure) => font.layout(figure, ["tnum"]).glyphs);
  const width = figures[0]?.advanceWidth ?? 0;
  for (const figure of figures) {
    const missing = width - figure.advanceWidth;
    const entry = table.offset + figure.id * 4;
    original.writeUInt16BE(original.readUInt16BE(entry) + missing, entry);
    original.writeInt16BE(original.readInt16BE(entry + 2) + Math.trunc(missing / 2), entry + 2);
  }
}

async function deliver(name: string, source: string, text: string): Promise<{ url: string; font: Font }> {
  const original = await readFile(source);
  levelFigures(original, create(original) as Font);
  const woff2 = await subsetFont(original, text, {
    targetFormat: "woff2",
    keepFeatures: ["ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "tnum"],
    noHinting: true,
  });
  const hash = createHash("sha256").update(woff2).digest("hex").slice(0, 8);
  const file = `${name}-${hash}.woff2`;
  await writeFile(`${fontsFolder}/${file}`, woff2);
  console.log(`${fontsFolder}/${file}  ${woff2.length} bytes`);
  return { url: `/fonts/${file}`, font: create(original) as Font };
}

await mkdir(fontsFolder, { recursive: true });
for (const old of await readdir(fontsFolder)) if (old.endsWith(".woff2")) await rm(`${fontsFolder}/${old}`);

const display = await deliver("display", face.source, faceText);
const extra = await deliver("display-capitals", capitals.source, capitalsText);
await copyFile(face.licence, `${fontsFolder}/display-LICENCE.txt`);
await copyFile(capitals.licence, `${fontsFolder}/display-capitals-LICENCE.txt`);

const metrics = {
  ascentEm: display.font.ascent / display.font.unitsPerEm,
  descentEm: -display.font.descent / display.font.unitsPerEm,
  averageEm: display.font.layout(sampleText).advanceWidth / display.font.unitsPerEm / sampleText.length,
};
const capitalsScale =
  display.font.capHeight / display.font.unitsPerEm / (extra.font.capHeight / extra.font.unitsPerEm);

const css = [
  "/* Written by `npm run draw -- font` (workshop/font.ts): change it there. */",
  displayFace({ url: display.url }),
  displayFace({ url: extra.url, text: capitalsText, scale: capitalsScale, metrics }),
  ...fallbacks.map((fallback) => fallbackFace(fallback, metrics)),
  `:root {\n  --font-display: "Shop Display", ${fallbacks.map(({ family }) => `"${family}"`).join(", ")}, serif;\n}`,
].join("\n\n");
await writeFile("app/styles/fonts.css", `${css}\n`);
await writeFile(
  "app/styles/display-font.ts",
  `/** Where the display face is served, for its preload link. Written by \`npm run draw -- font\`. */\nexport const displayFontUrl = ${JSON.stringify(display.url)};\n`,
);
