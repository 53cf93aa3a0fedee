import { slugOf } from "#app/features/book-covers/cover.ts";

/** The title's first twelve words as the last part of the book's URL; "" for a title without letters and digits. */
export const bookSlug = (title: string) => slugOf(title).split("-", 12).join("-");

/** The path of the book's own page. */
export function bookPath({ id, title }: { id: string; title: string }): string {
  return `/books/${id}/${encodeURIComponent(bookSlug(title))}`;
}
