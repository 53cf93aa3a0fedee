import { brotliCompressSync } from "node:zlib";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { coverFor } from "#app/features/book-covers/cover.ts";
import { GeneratedCover } from "#app/features/book-covers/generated-cover.tsx";
import { listedTitles } from "./demo-publishers.ts";

describe("the covers of the demo publishers' titles", () => {
  const books = Object.entries(listedTitles).flatMap(([publisher, titles]) =>
    titles.map(({ title, level, subject }) => ({ title, publisher, subject, course: level })),
  );
  const markups = books.map((book) => renderToStaticMarkup(<GeneratedCover book={book} />));

  it("are built-in ones and generated ones", () => {
    const kinds = books.map((book) => coverFor({ ...book, course: null, image_url: null }, "").kind);
    expect(new Set(kinds)).toEqual(new Set(["built-in", "generated"]));
  });

  it("differ from title to title", () => {
    const cloths = markups.map((markup) => markup.match(/#\w+/g)?.join(""));
    expect(new Set(cloths).size).toBeGreaterThan(cloths.length * 0.9);
  });

  it("add at most 1.5 kB to a page of 24 books", () => {
    expect(brotliCompressSync(markups.slice(0, 24).join("")).length).toBeLessThanOrEqual(1_500);
  });
});
