import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { coverColours } from "./cover-colours.ts";
import { GeneratedCover, type GeneratedCoverBook } from "./generated-cover.tsx";

const book: GeneratedCoverBook = {
  title: "Mental Arithmetic 4",
  publisher: "Schofield & Sims",
  course: "Primary 6",
  subject: "Mathematics",
};

const draw = (changes: Partial<GeneratedCoverBook> = {}, label?: string) =>
  renderToStaticMarkup(<GeneratedCover book={{ ...book, ...changes }} label={label} />);

const words = (markup: string) => markup.replace(/<\/tspan>/g, " ").replace(/<[^>]+>/g, "");

/** Contrast ratio of two #rrggbb colours as WCAG defines it. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe("a generated cover", () => {
  it("shows publisher, title, course and subject", () => {
    const text = words(draw());
    for (const part of ["Schofield &amp; Sims", "Mental", "Arithmetic 4", "Primary 6", "Mathematics"])
      expect(text).toContain(part);
  });

  it("shows the number of a volume large, and none on other books", () => {
    const number = (title: string) => /class="volume"[^>]*>([^<]*)</.exec(draw({ title }))?.[1];
    expect([number("Mental Arithmetic 4"), number("Mental Arithmetic 5")]).toEqual(["4", "5"]);
    expect(number("Mental Arithmetic")).toBeUndefined();
  });

  it("refers to parts of the file of cloths that exist", () => {
    const file = readFileSync("app/features/book-covers/cloth.svg", "utf8");
    const titles = Array.from({ length: 300 }, (_, number) => `Reader ${number}`);
    for (const title of titles) {
      const names = [...draw({ title }).matchAll(/<use href="[^"#]+#(\w+)"/g)].map(([, name]) => name);
      expect(names.length).toBe(4);
      for (const name of names) expect(file).toContain(`<path id="${name}" `);
    }
  });

  it("is the same every time", () => {
    expect(draw()).toBe(draw());
  });

  it("shows the data as text", () => {
    const markup = draw({ title: "<script>alert(1)</script>", publisher: '"><img src=x>' });
    expect(markup).not.toMatch(/<script|<img/);
  });

  it("works without a publisher, course or subject", () => {
    const bare = { publisher: null, course: null, subject: null };
    expect(words(draw({ ...bare, title: "Mental Arithmetic" })).trim()).toBe("Mental Arithmetic");
  });

  it("is decoration beside its title, and a labelled image on its own", () => {
    expect(draw()).toContain('aria-hidden="true"');
    expect(draw({}, "Cover of Mental Arithmetic 4")).toMatch(
      /role="img" aria-label="Cover of Mental Arithmetic 4"/,
    );
  });
});

describe("the colours of generated covers", () => {
  const named = (subject: string | null, publisher: string | null = null) =>
    coverColours({ subject, publisher });
  const other = named(null);
  const subjects =
    "mathematics english science physics chemistry biology history geography business economics computer";
  const publishers = "Cambridge University Press,Collins,CGP,Hachette Learning,Schofield & Sims,Skoldo".split(
    ",",
  );
  const all = [
    ...subjects.split(" ").map((subject) => named(subject)),
    ...publishers.map((name) => named(null, name)),
    other,
  ];

  it("differ for each of the eleven subjects and the six publishers (spec 3)", () => {
    expect(new Set(all.map(({ from }) => from)).size).toBe(18);
  });

  it("follow the subject before the publisher, and fall back to the default", () => {
    expect(named("Biology", "Collins")).toBe(named("Biology"));
    expect(named("Twi", "Collins")).toBe(named(null, "Collins"));
    expect(named("Twi", "Nobody Press")).toBe(other);
  });

  it("match a subject by a whole word, in the listed order", () => {
    expect(named("Further Mathematics")).toBe(named("mathematics"));
    expect(named("Computer Science")).toBe(named("Science"));
    expect(named("Computer Studies")).not.toBe(other);
    expect(named("Biochemistry")).toBe(other);
    expect(named("Prehistory")).toBe(other);
  });

  it("keep every word readable (AA) at both ends of the gradient", () => {
    for (const { from, to, light } of all)
      for (const ground of [from, to])
        for (const text of ["#fbf8f1", light])
          expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThan(4.5);
  });
});
