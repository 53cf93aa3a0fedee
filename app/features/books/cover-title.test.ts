import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText, setTitle, textWidth } from "./cover-title.ts";

const width = 204;
const depth = 118;

describe("a title on a generated cover", () => {
  it("is large when it is short", () => {
    expect(setTitle("Spelling 3", width, depth)).toEqual({
      lines: ["Spelling 3"],
      fontSize: 36,
      lineHeight: 41,
    });
  });

  it("keeps a number beside the word before it", () => {
    const { lines } = setTitle("Primary Practice Science Year 4", width, depth);
    expect(lines.at(-1)).toMatch(/Year 4$/);
  });

  it("ends in an ellipsis when it is too long", () => {
    const { lines } = setTitle("A very long title that goes on and on ".repeat(9), width, depth);
    expect(lines.at(-1)).toMatch(/[^\s]…$/);
  });

  it("breaks a word that is wider than the cover", () => {
    const { lines } = setTitle("Donaudampfschifffahrtsgesellschaftskapitän", width, depth);
    expect(lines[0]).toMatch(/-$/);
    expect(lines.join("").replaceAll("-", "")).toBe("Donaudampfschifffahrtsgesellschaftskapitän");
  });

  it("stays within its width and depth, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (title) => {
        const set = setTitle(title, width, depth);
        for (const line of set.lines) expect(textWidth(line)).toBeLessThanOrEqual(width / set.fontSize);
        expect((set.lines.length - 1) * set.lineHeight).toBeLessThanOrEqual(depth);
      }),
    );
  });

  it("of a hundred thousand letters is set like its beginning", () => {
    expect(setTitle("W".repeat(100_000), width, depth)).toEqual(setTitle("W".repeat(500), width, depth));
  });
});

describe("a line of small print", () => {
  it("is left whole when it fits and cut with an ellipsis when not", () => {
    expect(clipText("English", 10)).toBe("English");
    expect(clipText("Reading for pleasure", 6)).toBe("Reading fo…");
  });
});
