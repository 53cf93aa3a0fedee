import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
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

  it("keeps a number on the same line as the word before it", () => {
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

  it("stays within its width and depth, whatever its text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (title) => {
        const set = setTitle(title, width, depth);
        for (const line of set.lines) expect(textWidth(line)).toBeLessThanOrEqual(width / set.fontSize);
        expect((set.lines.length - 1) * set.lineHeight).toBeLessThanOrEqual(depth);
      }),
    );
  });

  it.each([
    ["  Atlas  ", 36, ["Atlas"]],
    ["É à ɛ ŋ ₵ Q", 36, ["É à ɛ ŋ ₵ Q"]],
    ["Maths 123 Book", 36, ["Maths 123", "Book"]],
    ["Key 4u Stage 3", 36, ["Key 4u", "Stage 3"]],
    ["Big Cat Phonics: The Lost Drum", 30, ["Big Cat", "Phonics: The", "Lost Drum"]],
    ["Primary   Practice  Maths 12 Answers", 30, ["Primary", "Practice", "Maths 12", "Answers"]],
    ["Internationalisation", 21, ["Internationalisation"]],
    [
      "Cambridge International AS & A Level Mathematics Coursebook",
      21,
      ["Cambridge", "International AS & A", "Level Mathematics", "Coursebook"],
    ],
    [
      "The International Encyclopaedia of Donaudampfschifffahrtsgesellschaften, volume one",
      18,
      ["The International", "Encyclopaedia of", "Donaudampfschifffahr-", "tsgesellschaften,", "volume one"],
    ],
    [
      "A very long title that goes on and on, and then: some more of it & again. And on - and on, for ever and ever, until nobody reads it any more at all",
      18,
      [
        "A very long title that",
        "goes on and on, and",
        "then: some more of it &",
        "again. And on - and on,",
        "for ever and ever, until",
        "nobody reads it any…",
      ],
    ],
  ])("sets %j in size %i", (title, fontSize, lines) => {
    expect(setTitle(title, width, depth)).toMatchObject({ fontSize, lines });
  });

  it("has no lines when it is empty", () => {
    expect(setTitle(" ", width, depth).lines).toEqual([]);
  });

  it("that is very long is set like its first 500 letters", () => {
    expect(setTitle("W".repeat(100_000), width, depth)).toEqual(setTitle("W".repeat(500), width, depth));
  });
});

describe("a line of small print", () => {
  it("is left whole when it fits and cut with an ellipsis when not", () => {
    expect(clipText("English", 10)).toBe("English");
    expect(clipText("Reading for pleasure", 6)).toBe("Reading fo…");
    expect(clipText("abcd", textWidth("abcd"))).toBe("abcd");
    expect(clipText("abcd", textWidth("abcd") - 0.01)).toBe("ab…");
  });

  it("has no space or comma before its ellipsis", () => {
    expect(clipText("Maths, & more", 4.1)).toBe("Maths…");
    expect(clipText("Maths -- more", 4.3)).toBe("Maths…");
  });

  it("is as wide as its letters with their accents, and counts an unknown letter as a wide one", () => {
    expect(["é", "É", "ẅ", "ab", "中", "‐“"].map(textWidth)).toEqual([0.56, 0.69, 0.9, 1.12, 0.9, 0.8]);
  });
});
