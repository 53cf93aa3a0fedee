import { existsSync, readdirSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aboutPictures } from "#app/features/about/about-pictures.ts";
import { builtInCovers } from "#app/features/book-covers/built-in-covers.ts";
import { slugOf } from "#app/features/book-covers/cover.ts";
import { allCoverColours } from "#app/features/book-covers/cover-colours.ts";
import { linkPictures } from "#app/features/book-page/link-pictures.ts";
import { heroPicture, homePictures } from "#app/features/home/home-pictures.ts";
import { originals } from "./originals.ts";

const bytes = (file: string) => statSync(`public${file}`).size;
const filesOf = (folder: string) =>
  originals.filter((one) => one.folder === folder).flatMap((one) => one.files);

describe("the delivered pictures", () => {
  it("are sixteen for the home carousel, nine for the story, and at least 24 covers", () => {
    expect(homePictures.length).toBe(16);
    expect(aboutPictures.length).toBe(9);
    expect(builtInCovers.length).toBeGreaterThanOrEqual(24);
  });

  it("are up to date with the originals: if this fails, run `npm run draw -- pictures`", () => {
    const missing = originals.flatMap((one) => one.files).filter(({ file }) => !existsSync(`public${file}`));
    expect(missing).toEqual([]);
    const delivered = readdirSync("public/pictures", { recursive: true, withFileTypes: true });
    expect(delivered.filter((entry) => entry.isFile()).length).toBe(
      originals.flatMap((one) => one.files).length,
    );
  });

  it("are the ones that the app uses", () => {
    const named = [heroPicture, ...homePictures, ...aboutPictures].map(({ src }) => src);
    for (const src of named) expect(existsSync(`public${src}`), src).toBe(true);
    for (const { file } of builtInCovers) expect(existsSync(`public${file}-300.avif`), file).toBe(true);
  });

  it("have a link preview for each colour of generated covers, and a JPEG of each built-in one", () => {
    expect(Object.keys(linkPictures).sort()).toEqual(
      allCoverColours()
        .map(([, { from }]) => from)
        .sort(),
    );
    const previews = [...Object.values(linkPictures), ...builtInCovers.map(({ file }) => `${file}-600.jpg`)];
    for (const file of previews) {
      expect(existsSync(`public${file}`), file).toBe(true);
      // WhatsApp shows no picture above 600 kB, and visitors pay for each byte.
      expect(bytes(file), file).toBeLessThanOrEqual(40_000);
    }
  });

  it("have alternative texts, all different", () => {
    const alts = [heroPicture, ...homePictures, ...aboutPictures].map(({ alt }) => alt);
    for (const alt of alts) expect(alt, alt).toMatch(/^[A-Z].{30,}\.$/);
    expect(new Set(alts).size).toBe(alts.length);
  });

  it("weigh little: at most 25 kB at 800 pixels, and 12 kB for a cover on the shelf", () => {
    for (const folder of ["hero", "home", "about"])
      for (const { file, width, format } of filesOf(folder))
        if (width === 800 && format === "avif") expect(bytes(file), file).toBeLessThanOrEqual(25_000);
    for (const { file, width } of filesOf("covers"))
      if (width === 300) expect(bytes(file), file).toBeLessThanOrEqual(12_000);
  });
});

describe("built-in covers", () => {
  it("have unique slugs, in the form that titles give", () => {
    for (const { slug } of builtInCovers) expect(slugOf(slug)).toBe(slug);
    expect(new Set(builtInCovers.map(({ of, slug }) => `${of} ${slug}`)).size).toBe(builtInCovers.length);
  });
});
