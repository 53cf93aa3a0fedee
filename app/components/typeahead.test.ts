import { describe, expect, it } from "vitest";
import { createTypeahead } from "./typeahead.ts";

const labels = ["Cambridge University Press", "Collins", "CGP", "Skoldo"];

describe("typeahead", () => {
  it("goes to the entry that begins with what is typed, whatever the case", () => {
    const find = createTypeahead();
    expect(find("S", labels, 0, 0)).toBe(3);
    expect(find("x", labels, 0, 5_000)).toBe(-1);
  });

  it("joins letters typed within a second into a word", () => {
    const find = createTypeahead();
    expect(find("c", labels, 3, 0)).toBe(0);
    expect(find("g", labels, 0, 999)).toBe(2);
  });

  it("starts anew after one second", () => {
    const find = createTypeahead();
    find("c", labels, 3, 0);
    expect(find("s", labels, 0, 1_000)).toBe(3);
  });

  it("walks through the entries of a letter typed again and again, and wraps", () => {
    const find = createTypeahead();
    expect(find("c", labels, 0, 0)).toBe(1);
    expect(find("c", labels, 1, 200)).toBe(2);
    expect(find("c", labels, 2, 400)).toBe(0);
  });

  it("stays on an entry that the longer word still fits", () => {
    const find = createTypeahead();
    find("c", labels, 3, 0);
    expect(find("a", labels, 0, 100)).toBe(0);
  });
});
