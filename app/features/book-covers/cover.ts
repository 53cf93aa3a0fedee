import { COVER_WIDTHS } from "#shared/books/cover-sizes.ts";
import { type BuiltInCover, builtInCovers } from "./built-in-covers.ts";
import { bookCoverUrl, smallCoverUrl } from "./cover-url.ts";
import type { GeneratedCoverBook } from "./generated-cover.tsx";

/** What decides a book's cover; a row of `books` is one. */
export interface CoverBook extends GeneratedCoverBook {
  image_url: string | null;
}

export type Cover =
  | { kind: "uploaded"; url: string }
  | { kind: "built-in"; cover: BuiltInCover }
  | { kind: "generated" };

/**
 * The cover to show: the uploaded image, else a built-in one whose slug matches the title, publisher, subject or
 * course (in that order), else a generated one. `backendUrl` is the address of today's backend ("" for this origin).
 */
export function coverFor(book: CoverBook, backendUrl: string): Cover {
  const url = bookCoverUrl(book.image_url, backendUrl);
  if (url) return { kind: "uploaded", url };
  const cover = findBuiltInCover(book);
  return cover ? { kind: "built-in", cover } : { kind: "generated" };
}

/** What an <img> loads. */
export type CoverImage = { src: string; srcSet?: string };

/** An image of the cover in every width that there is; null for a drawn one. */
export function imageOf(cover: Cover): CoverImage | null {
  if (cover.kind === "generated") return null;
  if (cover.kind === "built-in") return inWidths([300, 600], (width) => `${cover.cover.file}-${width}.avif`);
  const small = smallCoverUrl(cover.url, "");
  return small ? inWidths(COVER_WIDTHS, (width) => `${small}${width}.webp`) : { src: cover.url };
}

const inWidths = (widths: number[], urlOf: (width: number) => string): CoverImage => ({
  src: urlOf(300),
  srcSet: widths.map((width) => `${urlOf(width)} ${width}w`).join(),
});

/**
 * The built-in cover for a book or null. A title matches a cover whose slug it is or begins with (the longest, so that
 * a volume finds its series); publisher, subject and course match whole.
 */
export function findBuiltInCover(book: GeneratedCoverBook): BuiltInCover | null {
  const title = `${slugOf(book.title)}-`;
  const ofTitle = builtInCovers
    .filter((cover) => cover.of === "title" && title.startsWith(`${cover.slug}-`))
    .sort((one, other) => other.slug.length - one.slug.length);
  if (ofTitle[0]) return ofTitle[0];
  for (const field of ["publisher", "subject", "course"] as const) {
    const slug = slugOf(book[field] ?? "");
    const found = builtInCovers.find((cover) => cover.of === field && cover.slug === slug);
    if (found) return found;
  }
  return null;
}

/** `Schofield & Sims` is `schofield-sims`, `École` is `ecole`. */
export function slugOf(text: string): string {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").replace(/['’]/g, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu)?.join("-") ?? "";
}
