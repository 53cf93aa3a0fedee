import { describe, expect, test } from "vitest";
import { type Block, blanksOf, readLawText, wordsOf } from "./law-text.ts";

describe("a text of the law's pages", () => {
  test("a text has headings, paragraphs, lists, values and blanks", () => {
    const text =
      "## Delivery\nWe come to {place},\nas agreed.\n\nYou may:\n- wait\n- {none}\n- call {phones}\n\n{fees}\n\n{none}\n\nWithin [number] days.";
    const fees: Block[] = [{ kind: "paragraph", words: ["Free."] }];
    expect(readLawText(text, { place: "Accra", phones: "[a number]", fees, none: "" })).toEqual([
      { kind: "heading", text: "Delivery" },
      { kind: "paragraph", words: ["We come to Accra,", " ", "as agreed."] },
      { kind: "paragraph", words: ["You may:"] },
      { kind: "list", items: [["wait"], ["call ", { blank: "a number" }]] },
      ...fees,
      { kind: "paragraph", words: ["Within ", { blank: "number" }, " days."] },
    ]);
  });

  test("a name without a value, and a bracket without its pair, stay as they were typed", () => {
    expect(wordsOf("{constructor} {x} [ ] [", { x: "1" }).join("")).toBe("{constructor} 1 [ ] [");
    expect(readLawText("{constructor}", {})).toEqual([{ kind: "paragraph", words: ["{constructor}"] }]);
  });

  test("the blanks of a text are listed", () => {
    expect(blanksOf("In [number] days, [or not].")).toEqual(["number", "or not"]);
  });
});
