import { COVER_WIDTHS } from "#app/lib/cover-sizes.ts";
import { type BuiltInCover, builtInCovers } from "./built-in-covers.ts";
import type { GeneratedCoverBook } from "./generated-cover.tsx";

/** What decides a book's cover; a row of `books` is one. */
export interface CoverBook extends GeneratedCoverBook {
  image_url: string | null;
}

export type Cover =
  | { kind: "uploaded"; url: string }
  | { kind: "built-in"; cover: BuiltInCover }
  | { kind: "generated" };

const bucketPath = "/storage/v1/object/public/book-covers/";

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
 * Where this site serves an uploaded cover in a size that it makes itself (server/web/small-covers.ts); null for an image from
 * elsewhere.
 * @param url from `bookCoverUrl`
 */
export function smallCoverUrl(url: string, size: string): string | null {
  const [, name] = url.split(bucketPath);
  // In a srcset a comma ends a URL.
  return name ? `/covers/${name.replace(/[?].*/, "").replaceAll(",", "%2C")}/${size}` : null;
}

/** A name or URL with no character that an engine would escape. */
const PLAIN_HOST = /^([a-z\d.-]+|\[[\da-f:.]+\])$/;

/**
 * The address to load an image from, or null when it must not be shown. An image of the bucket book-covers is found
 * by its name at today's backend, whatever host was stored with it; any other image must be https.
 */
export function bookCoverUrl(imageUrl: string | null, backendUrl: string): string | null {
  const stored = imageUrl?.trim();
  if (!stored || !URL.canParse(stored, "https://stored.invalid")) return null;
  const url = new URL(stored, "https://stored.invalid");
  const { protocol, hostname, username, password } = url;
  // Browsers escape in a host what Node refuses.
  if (!PLAIN_HOST.test(hostname) || username || password) return null;
  const isWeb = protocol === "https:" || protocol === "http:";
  const bucketAt = url.pathname.indexOf(bucketPath);
  if (isWeb && bucketAt >= 0) {
    const name = url.pathname.slice(bucketAt + bucketPath.length);
    return name ? `${backendUrl.replace(/\/+$/, "")}${bucketPath}${escapeAll(name + url.search)}` : null;
  }
  if (protocol !== "https:" || hostname === "stored.invalid") return null;
  return url.origin + escapeAll(url.pathname + url.search);
}

/** Engines differ in what they escape in a path (`^`, `|`, `'`): here everything is that may be. */
function escapeAll(pathAndQuery: string): string {
  return pathAndQuery.replace(
    /[^\w\-.~:/?@!$&()*+,;=%]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

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
