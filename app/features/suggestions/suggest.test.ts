import { describe, expect, it } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { suggest } from "./suggest.ts";
import { suggestionsPath } from "./suggestion.ts";

const facets = [
  { facet: "publisher", value: "Collins", books: 12 },
  { facet: "publisher", value: "Schofield & Sims", books: 1 },
  { facet: "course", value: "Cooking", books: 99 },
  { facet: "subject", value: "Computing", books: 3 },
  { facet: "subject", value: "Comparative Relîgion", books: 7 },
  { facet: "subject", value: "Commerce", books: 5 },
] as const;

describe("the search box's suggestions", () => {
  it("are books with publisher, price and cover, then the publishers and subjects with the most books, each with its page", () => {
    const cover = { course: "KS2", subject: null, image_url: null };
    const price = pesewasFromCedis(62.5);
    const id = "0b5c1f1e-0000-4000-8000-0000000000b1";
    const book = { id, title: "Coding & Co", publisher: null, price, ...cover };
    expect(suggest("co", [book], facets)).toEqual([
      { text: "Coding & Co", note: "", to: `/books/${id}/coding-co`, price, cover },
      { text: "Collins", note: "Publisher, 12 books", to: "/shop?publisher=Collins" },
      {
        text: "Comparative Relîgion",
        note: "Subject, 7 books",
        to: "/shop?subject=Comparative%20Rel%C3%AEgion",
      },
      { text: "Commerce", note: "Subject, 5 books", to: "/shop?subject=Commerce" },
    ]);
  });

  it("match every typed word with the start of a word, ignoring case, accents and punctuation", () => {
    const textsFor = (typed: string) => suggest(typed, [], facets).map(({ text }) => text);
    expect(textsFor("RELIGION comp")).toEqual(["Comparative Relîgion"]);
    expect(textsFor("sims & schof")).toEqual(["Schofield & Sims"]);
    expect(textsFor("ollins")).toEqual([]);
    expect(textsFor("&&")).toEqual([]);
  });
});

describe("the URL of suggestions", () => {
  it("is the same for the same letters, and short", () => {
    expect(suggestionsPath("  Maths  4 ")).toBe("/suggestions?q=maths%204");
    expect(suggestionsPath("maths 4")).toBe("/suggestions?q=maths%204");
    expect(suggestionsPath("x".repeat(5_000))).toHaveLength("/suggestions?q=".length + 60);
    expect(suggestionsPath("a\ud800")).toBe("/suggestions?q=a%EF%BF%BD");
  });

  it("needs two characters", () => {
    for (const typed of ["", " ", "a", " a ", "\0a", "😀"]) expect(suggestionsPath(typed)).toBeNull();
    expect(suggestionsPath("ab")).not.toBeNull();
  });
});
