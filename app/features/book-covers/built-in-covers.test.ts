import { describe, expect, it } from "vitest";
import { coverFor, findBuiltInCover } from "./cover.ts";

const book = { title: "A Title of Its Own", publisher: "Nobody Press", subject: null, course: null };
const slugFor = (changes: Partial<Record<"title" | "publisher" | "subject" | "course", string>>) =>
  findBuiltInCover({ ...book, ...changes })?.slug ?? null;

describe("a built-in cover", () => {
  it.each([
    ["School Dictionary", "school-dictionary"],
    ["Big Cat: Ananse and the Pot of Wisdom", "big-cat-ananse-and-the-pot-of-wisdom"],
    ["HB Pencils with Eraser, Box of 144", "hb-pencils"],
    ["Times Tables 2", "times-tables"],
  ])("is found for %s by its title", (title, slug) => {
    expect(slugFor({ title })).toBe(slug);
  });

  it("is not found when the slug is only part of a word, or not at the start of the title", () => {
    expect(slugFor({ title: "Times Tablesmith" })).toBeNull();
    expect(slugFor({ title: "The School Dictionary of Errors" })).toBeNull();
  });

  it("is found by publisher, subject or course when the title has none", () => {
    expect(slugFor({ publisher: "Own Brand Art & Craft" })).toBe("own-brand-art-craft");
    expect(slugFor({ subject: "Global Perspectives" })).toBe("global-perspectives");
    expect(slugFor({ course: "Stationery" })).toBe("stationery");
  });

  it("is looked for by title first, then by publisher, subject and course", () => {
    expect(slugFor({ title: "School Dictionary", subject: "Global Perspectives" })).toBe("school-dictionary");
    expect(slugFor({ publisher: "Own Brand Art & Craft", subject: "Office Supplies" })).toBe(
      "own-brand-art-craft",
    );
    expect(slugFor({ subject: "Office Supplies", course: "Stationery" })).toBe("office-supplies");
  });

  it("gives way to an uploaded image", () => {
    const withImage = { ...book, title: "School Dictionary", image_url: "https://images.example/a.jpg" };
    expect(coverFor(withImage, "").kind).toBe("uploaded");
    expect(coverFor({ ...withImage, image_url: null }, "").kind).toBe("built-in");
  });
});
