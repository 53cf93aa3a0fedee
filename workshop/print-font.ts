/**
 * Makes the font of the PDFs that the shop emails: `npm run draw -- print-font`. Noto Sans with the characters of titles in
 * Ghana (Latin with the letters of Twi, Ewe, Ga, Dagbani and Hausa, Greek, Cyrillic, currencies), as TrueType, which
 * a PDF can embed in part. Writes server/emails/fonts/print-regular.ttf and print-bold.ttf.
 */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";
import { printable } from "#server/emails/printable.ts";

const source = "node_modules/@expo-google-fonts/noto-sans";
const target = "server/emails/fonts";

const characters = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code))
  .filter((character) => character !== "\n" && printable(character) === character)
  .join("");

for (const [name, file] of [
  ["print-regular", "400Regular/NotoSans_400Regular.ttf"],
  ["print-bold", "700Bold/NotoSans_700Bold.ttf"],
]) {
  const font = await subsetFont(await readFile(`${source}/${file}`), characters, {
    targetFormat: "sfnt",
    // Laying out a thousand lines with kerning takes three times as long.
    keepFeatures: [],
    noHinting: true,
  });
  await writeFile(`${target}/${name}.ttf`, font);
  console.log(`${target}/${name}.ttf  ${font.length} bytes`);
}
await copyFile(`${source}/LICENSE_FONT`, `${target}/LICENCE.txt`);
