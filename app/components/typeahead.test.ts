import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { createTypeahead, TYPEAHEAD_RESET_MS } from "./typeahead.ts";

const labels = ["Cambridge University Press", "Collins", "CGP", "Skoldo"];

describe("typeahead", () => {
  it("finds the entry that starts with the typed letter, ignoring case", () => {
    const find = createTypeahead();
    expect(find("S", labels, 0, 0)).toBe(3);
    expect(find("x", labels, 0, 5_000)).toBe(-1);
  });

  it("joins letters typed within a second into a word", () => {
    const find = createTypeahead();
    expect(find("c", labels, 3, 0)).toBe(0);
    expect(find("g", labels, 0, 999)).toBe(2);
  });

  it("starts a new search after one second", () => {
    const find = createTypeahead();
    find("c", labels, 3, 0);
    expect(find("s", labels, 0, 1_000)).toBe(3);
  });

  it("forgets all earlier letters once a second has passed", () => {
    const services = ["Collins", "CGP", "Schofield & Sims", "Skoldo"];
    const find = createTypeahead();
    expect(find("s", services, 0, 0)).toBe(2);
    expect(find("k", services, 2, 300)).toBe(3);
    expect(find("c", services, 3, 1_300)).toBe(0);
    expect(find("o", services, 0, 1_600)).toBe(0);
  });

  it("uses only the letters since the last pause of a second", () => {
    const click = fc.record({
      letter: fc.constantFrom("c", "o", "s", "k", "g"),
      pause: fc.integer({ min: 0, max: 2_500 }),
    });
    fc.assert(
      fc.property(fc.array(click, { minLength: 1, maxLength: 8 }), (presses) => {
        const find = createTypeahead();
        let at = 0;
        let word = "";
        let found = -1;
        for (const { letter, pause } of presses) {
          at += pause;
          word = pause >= TYPEAHEAD_RESET_MS ? letter : word + letter;
          found = find(letter, labels, Math.max(found, 0), at);
        }
        const prefix = /^(.)\1*$/.test(word) ? word.charAt(0) : word;
        if (found >= 0) expect(labels[found]?.toLowerCase().startsWith(prefix)).toBe(true);
        else expect(labels.some((label) => label.toLowerCase().startsWith(prefix))).toBe(false);
      }),
    );
  });

  it("steps through the entries of a repeated letter, and wraps", () => {
    const find = createTypeahead();
    expect(find("c", labels, 0, 0)).toBe(1);
    expect(find("c", labels, 1, 200)).toBe(2);
    expect(find("c", labels, 2, 400)).toBe(0);
  });

  it("stays on an entry that the longer word still matches", () => {
    const find = createTypeahead();
    find("c", labels, 3, 0);
    expect(find("a", labels, 0, 100)).toBe(0);
  });
});
