import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { builtInCovers } from "./built-in-covers.ts";
import { type CoverBook, coverFor, findBuiltInCover, imageOf, slugOf } from "./cover.ts";
import { bookCoverUrl, smallCoverUrl } from "./cover-url.ts";

const backend = "https://shop.example";
const path = "/storage/v1/object/public/book-covers/book-cover-1700000000000.jpg";
const plain: CoverBook = {
  title: "A Title No Cover Was Drawn For",
  publisher: "Nobody Press",
  subject: null,
  course: null,
  image_url: null,
};

describe("a book's cover", () => {
  it("is the uploaded image when there is one", () => {
    expect(coverFor({ ...plain, image_url: `${backend}${path}` }, backend)).toEqual({
      kind: "uploaded",
      url: `${backend}${path}`,
    });
  });

  it("is generated when neither an image nor a built-in cover exists", () => {
    expect(coverFor(plain, backend)).toEqual({ kind: "generated" });
  });

  it("is not taken from an image that must not be shown", () => {
    expect(coverFor({ ...plain, image_url: "javascript:alert(1)" }, backend).kind).toBe("generated");
  });
});

describe("a stored image address", () => {
  it.each([
    ["the bucket's path on another host", `https://old.example${path}`],
    ["the bucket's path on a host without TLS", `http://127.0.0.1:54321${path}`],
    ["only the bucket's path", path],
  ])("that is %s is loaded from the current backend", (_name, stored) => {
    expect(bookCoverUrl(stored, backend)).toBe(`${backend}${path}`);
    expect(bookCoverUrl(stored, `${backend}/`)).toBe(`${backend}${path}`);
    expect(bookCoverUrl(stored, "")).toBe(path);
  });

  it("on another host is shown when it is https", () => {
    expect(bookCoverUrl("https://images.example/a.jpg?w=300", backend)).toBe(
      "https://images.example/a.jpg?w=300",
    );
  });

  it.each([
    ["nothing", null],
    ["empty", "  "],
    ["plain http", "http://images.example/a.jpg"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:image/png;base64,AAAA"],
    ["a bare name", "cover.jpg"],
    ["a way out of the bucket", "/storage/v1/object/public/book-covers/../private/x.jpg"],
    ["the bucket without a name", "/storage/v1/object/public/book-covers/"],
    ["no address at all", "https://"],
    ["an address with a quote in its host", 'https://x"y/a.jpg'],
    ["an address with a space in its host", 'https://x" y'],
    ["a host that holds an escape", "https://x%22%20y/a.jpg"],
    ["an address with a password", "https://name:secret@images.example/a.jpg"],
    ["a script after white space and in capitals", " \tJavaScript:alert(1)"],
    ["a blob", "blob:https://images.example/1"],
  ])("that is %s is not shown", (_name, stored) => {
    expect(bookCoverUrl(stored, backend)).toBeNull();
  });
});

describe("any stored text", () => {
  it("becomes a URL that every browser writes the same way, or none", () => {
    const begin = fc.constantFrom(
      "",
      "https://",
      "https://x",
      "https://images.example/",
      path,
      "javascript:",
      "//",
    );
    const text = fc.tuple(begin, fc.string({ unit: "binary", maxLength: 30 })).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(text, fc.webUrl({ withQueryParameters: true })), (stored) => {
        const shown = bookCoverUrl(stored, backend);
        if (shown === null) return;
        expect(shown).toMatch(/^https:\/\/[a-z\d.:[\]-]+\/[\w\-.~:/?@!$&()*+,;=%]*$/);
        expect(bookCoverUrl(shown, backend)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps its escapes and its query", () => {
    expect(bookCoverUrl('https://images.example/a b|c^d\'é.jpg?q="1"#part', backend)).toBe(
      "https://images.example/a%20b%7Cc%5Ed%27%C3%A9.jpg?q=%221%22",
    );
  });
});

describe("slugs", () => {
  it.each([
    ["Schofield & Sims", "schofield-sims"],
    ["École Élémentaire", "ecole-elementaire"],
    ["Learner's Book 4", "learners-book-4"],
    ["AS & A Level", "as-a-level"],
    ["Ɔkyeame", "ɔkyeame"],
    ["  ", ""],
  ])("%s is %s", (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });
});

describe("a cover drawn for the shop", () => {
  const nothing = { title: "A Title No Cover Was Drawn For", publisher: null, subject: null, course: null };

  it.each([
    ["the title", { title: "Times Tables" }, "times-tables"],
    ["a title that goes on after it", { title: "Times Tables: Year 4" }, "times-tables"],
    ["the publisher", { publisher: "Own Brand Art & Craft" }, "own-brand-art-craft"],
    ["the subject", { subject: "Global Perspectives" }, "global-perspectives"],
    ["the course", { course: "stationery" }, "stationery"],
    ["the title before all others", { title: "HB Pencils", course: "Stationery" }, "hb-pencils"],
    [
      "the publisher before subject and course",
      { publisher: "Own Brand Art & Craft", subject: "Office Supplies", course: "Stationery" },
      "own-brand-art-craft",
    ],
    [
      "the subject before the course",
      { subject: "Office Supplies", course: "Stationery" },
      "office-supplies",
    ],
  ])("is found by %s", (_, book, slug) => {
    const found = findBuiltInCover({ ...nothing, ...book });
    expect(found?.slug).toBe(slug);
    expect(coverFor({ ...nothing, ...book, image_url: null }, backend)).toEqual({
      kind: "built-in",
      cover: found,
    });
  });

  it.each([
    { title: "Times Tablesets" },
    { title: "My Times Tables" },
    { title: "Stationery" },
    { publisher: "Own Brand Art & Craft Ghana" },
    { subject: "Stationery" },
    { course: "Times Tables" },
    {},
  ])("is not found for %j", (book) => {
    expect(findBuiltInCover({ ...nothing, ...book })).toBeNull();
  });

  it("gives way to an uploaded image", () => {
    const book = { ...nothing, title: "Times Tables", image_url: "https://images.example/a.jpg" };
    expect(coverFor(book, backend).kind).toBe("uploaded");
  });
});

describe("an unusual image address", () => {
  it.each([
    ["a name", "https://name@images.example/a.jpg"],
    ["only a password", "https://:secret@images.example/a.jpg"],
    ["a host of other letters", "https://images_1.example/a.jpg"],
    ["a host that only begins well", "https://images.example!/a.jpg"],
    ["another way than the web to the bucket", `ftp://shop.example${path}`],
    ["the address that only parsing needs", "https://stored.invalid/a.jpg"],
  ])("of %s is not shown", (_, stored) => {
    expect(bookCoverUrl(stored, backend)).toBeNull();
  });

  it.each(["https://[2001:db8::1]/a.jpg", "https://192.0.2.1:8443/a.jpg"])("of %s is shown", (stored) => {
    expect(bookCoverUrl(` ${stored} `, backend)).toBe(stored);
  });

  it("keeps the query of an image of the bucket, and starts with the backend's URL, with or without trailing slashes", () => {
    expect(bookCoverUrl(`https://old.example/x${path}?v='1'`, `${backend}//`)).toBe(
      `${backend}${path}?v=%271%27`,
    );
  });
});

describe("what an <img> loads", () => {
  const imageFor = (image_url: string | null, title = plain.title) =>
    imageOf(coverFor({ ...plain, title, image_url }, backend));

  it("is an uploaded cover in the widths that this site makes, wherever the backend is", () => {
    const folder = "/covers/book-cover-1700000000000.jpg";
    expect(imageFor(`https://earlier.example${path}`)).toEqual({
      src: `${folder}/300.webp`,
      srcSet: `${folder}/160.webp 160w,${folder}/300.webp 300w,${folder}/400.webp 400w,${folder}/600.webp 600w`,
    });
  });

  it("is an image from elsewhere as it is", () => {
    expect(imageFor("https://images.example/a.jpg?w=300")).toEqual({
      src: "https://images.example/a.jpg?w=300",
    });
  });

  it("is a built-in cover in its two widths, and nothing for a drawn one", () => {
    const [first] = builtInCovers.filter(({ of }) => of === "title");
    const image = imageFor(null, first?.slug);
    expect(image?.srcSet).toBe(`${first?.file}-300.avif 300w,${first?.file}-600.avif 600w`);
    expect(imageFor(null)).toBeNull();
  });

  it.each(["a, b,.jpg", "a b.jpg", "a.jpg?v=1,", "a/b.jpg", "é 100%.jpg", "a%2Cb.jpg"])(
    "is named so that a srcset can hold it: %s",
    (name) => {
      const url = bookCoverUrl(`/storage/v1/object/public/book-covers/${name}`, backend) ?? "";
      const small = smallCoverUrl(url, "300.webp");
      expect(small).toMatch(/^\/covers\/[^\s,?]+\/300\.webp$/);
      expect(new URL(small ?? "", backend).pathname).toBe(small);
    },
  );
});
