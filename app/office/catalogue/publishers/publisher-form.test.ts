import { describe, expect, it } from "vitest";
import { readListedTitles, writeListedTitles } from "./listed-titles.ts";
import { findErrors, publisherForm, publisherValues, suggestSlug } from "./publisher-form.ts";

const row = {
  ...{ id: "1", updated_at: "2026-01-01", books: 3, name: "Adom", slug: "adom", logo_url: null, mark: 2 },
  ...{ description: "Readers.", known_for: ["Readers", "Maths, again"], note: null, shown: "page" as const },
  ...{ page: "showcase" as const, in_filter: false, has_order_links: true },
  titles: [
    { title: "Light", price: 185.5, rating: 4.5, level: "Primary 4", subject: "Science" },
    { title: "Sound", price: 20, rating: null, level: null, subject: null },
  ],
};

describe("the form of a publisher", () => {
  it("saves what it was opened with", () => {
    const { id: _, updated_at: __, books: ___, ...values } = row;
    expect(publisherValues(publisherForm(row, 3, 6))).toEqual(values);
    expect(findErrors(publisherForm(row, 3, 6))).toEqual({
      name: null,
      slug: null,
      known_for: null,
      titles: null,
    });
  });

  it("gives each new publisher another mark", () => {
    expect([0, 1, 6].map((count) => publisherForm(null, count, 6).mark)).toEqual([1, 2, 1]);
  });

  it("says what is missing or wrong", () => {
    const empty = { ...publisherForm(null, 0, 6), page: "showcase" };
    expect(findErrors(empty)).toMatchObject({
      name: "Name is required",
      slug: "Address is required",
      titles: "List at least one title, or show books from the catalogue",
    });
    expect(findErrors({ ...empty, slug: "Adom Press" }).slug).toBe(
      "Use small letters, digits and single hyphens",
    );
  });

  it.each([
    ["Schofield & Sims", "schofield-sims"],
    ["  Éditions Ɔba 2", "editions-ba-2"],
    ["—", ""],
    ["x".repeat(70), "x".repeat(60)],
  ])("suggests for %j the address %j", (name, slug) => {
    expect(suggestSlug(name)).toBe(slug);
  });
});

describe("listed titles", () => {
  it("are lines of title, price, rating, level and subject", () => {
    const text = "Light | 185.50 | 4.5 | Primary 4 | Science\nSound | 20.00";
    expect(writeListedTitles(row.titles)).toBe(text);
    expect(readListedTitles(`\n${text}\n\n`)).toEqual({ titles: row.titles });
  });

  it.each([
    ["| 5", "| 5: the title is missing."],
    ["Light", "Light: the price must be a number, such as 185.50."],
    ["Light | free", "Light: the price must be a number, such as 185.50."],
    ["Light | 1.234", "Light: the price must be a number, such as 185.50."],
    ["Light | 5 | six", "Light: the rating must be from 1 to 5."],
  ])("of %j are refused: %j", (text, error) => {
    expect(readListedTitles(text)).toEqual({ error });
  });
});
