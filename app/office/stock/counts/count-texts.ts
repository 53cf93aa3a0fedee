import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { Count } from "./count.admin-queries.ts";

export const countPath = (id: string) => `/admin/counts/${id}`;

/** 'Books of Cambridge', 'Shelf places that begin with A1' or 'Pasted list'. */
export function scopeText({ scope, scope_value }: Pick<Count, "scope" | "scope_value">): string {
  if (scope === "publisher") return `Books of ${scope_value}`;
  if (scope === "shelf") return `Shelf places that begin with ${scope_value}`;
  return "Pasted list";
}

/** '3 books: +2, −5 copies', or 'None'. */
export function differencesText({
  differences,
  more,
  fewer,
}: Pick<Count, "differences" | "more" | "fewer">): string {
  if (differences === 0) return "None";
  const copies = [
    more > 0 && `+${more.toLocaleString("en-GB")}`,
    fewer > 0 && `−${fewer.toLocaleString("en-GB")}`,
  ];
  return `${countOf(differences, "book")}: ${copies.filter(Boolean).join(", ")} copies`;
}

/** '12 of 40 books', and those outside the scope. */
export function progressText({
  counted,
  books,
  outside,
}: Pick<Count, "counted" | "books" | "outside">): string {
  const other = outside > 0 ? `, and ${countOf(outside, "other")}` : "";
  return `${counted.toLocaleString("en-GB")} of ${countOf(books, "book")}${other}`;
}

/** 'by Ama on 27 Nov 2026' */
export const byOn = (name: string | null, at: string): string =>
  `${name ? `by ${name} ` : ""}on ${formatDay(at)}`;
