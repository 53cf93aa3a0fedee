import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { MARKS, Wordmark } from "./wordmark.tsx";

const draw = (publisher: { name: string; mark?: number; logo?: string }) =>
  renderToStaticMarkup(<Wordmark publisher={{ mark: 1, logo: null, ...publisher }} />);

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

  it("is the logo alone where there is one, read as the name", () => {
    const logo = draw({ name: "Adom", logo: "/a.jpg" });
    expect(logo).toMatch(/^(<link [^>]*>)?<img src="\/a\.jpg" alt="Adom"/);
    expect(logo).not.toContain("<svg");
  });
});
