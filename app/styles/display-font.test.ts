import { readFileSync, statSync } from "node:fs";
import { create, type Font } from "fontkit";
import { describe, expect, it } from "vitest";
import { displayFontUrl } from "./display-font.ts";

const file = `public${displayFontUrl}`;
const font = create(readFileSync(file)) as Font;
const css = readFileSync("app/styles/fonts.css", "utf8");

describe("the display font", () => {
  it("weighs at most 24 kB", () => {
    expect(statSync(file).size).toBeLessThanOrEqual(24_000);
  });

  it.each([
    ["the cedi sign", 0x20b5],
    ["the open e of Twi and Ewe", 0x25b],
    ["the open o of Twi and Ewe", 0x254],
  ])("draws %s", (_name, codePoint) => {
    expect(font.hasGlyphForCodePoint(codePoint)).toBe(true);
    expect(font.glyphForCodePoint(codePoint).path.commands.length).toBeGreaterThan(4);
  });

  it("has tabular figures", () => {
    const widths = [..."0123456789"].map((figure) => font.layout(figure, ["tnum", "lnum"]).advanceWidth);
    expect(new Set(widths).size).toBe(1);
  });

  it("is the first font that the style sheet names", () => {
    expect(css).toContain(`src: url("${displayFontUrl}")`);
    expect(css).toMatch(/--font-display: "Shop Display", "Display Georgia"/);
  });

  it("has the same line box as every fallback, so that nothing moves when it loads", () => {
    const fallbacks = css.match(/@font-face \{[^}]*local\([^}]*\}/g) ?? [];
    expect(fallbacks.length).toBe(4);
    for (const rule of fallbacks) {
      const read = (name: string) => Number(rule.match(new RegExp(`${name}: ([\\d.]+)%`))?.[1]) / 100;
      const size = read("size-adjust");
      expect(read("ascent-override") * size).toBeCloseTo(font.ascent / font.unitsPerEm, 3);
      expect(read("descent-override") * size).toBeCloseTo(-font.descent / font.unitsPerEm, 3);
    }
  });

  it("takes the capital open e and open o from a second file that is fetched only where they occur", () => {
    const rule = css.match(/url\("(\/fonts\/display-capitals-[^"]+)"\)[^}]*unicode-range: ([^;]+);/);
    expect(rule?.[2]).toContain("U+186");
    expect(rule?.[2]).toContain("U+190");
    const capitals = create(readFileSync(`public${rule?.[1]}`)) as Font;
    expect([0x186, 0x190].every((codePoint) => capitals.hasGlyphForCodePoint(codePoint))).toBe(true);
    expect([0x186, 0x190].some((codePoint) => font.hasGlyphForCodePoint(codePoint))).toBe(false);
  });
});
