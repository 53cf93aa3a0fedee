import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { MARKS, Wordmark } from "./wordmark.tsx";

const draw = (publisher: { name: string; mark?: number; logo_url?: string | null }) =>
  renderToStaticMarkup(<Wordmark publisher={{ mark: 1, logo_url: null, ...publisher }} backendUrl="" />);

describe("a publisher's wordmark", () => {
  it.each(["Cambridge University Press", "CGP", "Schofield & Sims"])("reads %s and nothing else", (name) => {
    const text = draw({ name })
      .replace(/<[^>]+>/g, "")
      .replace("&amp;", "&")
      .trim();
    expect(text).toBe(name);
  });

  it("has an emblem, different for each mark, and one for a number that has none", () => {
    const emblemOf = (mark: number) => draw({ name: "Adom", mark }).match(/ d="[^"]+"/)?.[0];
    const marks = Array.from({ length: MARKS }, (_, at) => at + 1);
    expect(new Set(marks.map(emblemOf)).size).toBe(6);
    expect(emblemOf(99)).toBe(emblemOf(1));
  });

  it("is the logo alone where there is one, read as the name, and only from the shop's own pictures or https", () => {
    const logo = draw({
      name: "Adom",
      logo_url: "https://old.example/storage/v1/object/public/book-covers/a.jpg",
    });
    expect(logo).toMatch(/^<img src="\/storage\/v1\/object\/public\/book-covers\/a\.jpg" alt="Adom"/);
    expect(draw({ name: "Adom", logo_url: "javascript:alert(1)" })).not.toContain("<img");
  });
});
