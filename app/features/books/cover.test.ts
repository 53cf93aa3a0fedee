import { describe, expect, it } from "vitest";
import { bookCoverUrl, type CoverBook, coverFor, slugOf } from "./cover.ts";

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
    ["the bucket's path alone", path],
  ])("that is %s is read from today's backend", (_name, stored) => {
    expect(bookCoverUrl(stored, backend)).toBe(`${backend}${path}`);
    expect(bookCoverUrl(stored, `${backend}/`)).toBe(`${backend}${path}`);
    expect(bookCoverUrl(stored, "")).toBe(path);
  });

  it("elsewhere is shown when it is https", () => {
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
  ])("that is %s is not shown", (_name, stored) => {
    expect(bookCoverUrl(stored, backend)).toBeNull();
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
