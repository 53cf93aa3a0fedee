import type { CoverBook } from "#app/features/book-covers/cover.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import type { Facet } from "#app/features/catalogue/catalogue.queries.ts";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";
import { countOf } from "#shared/text/count-of.ts";
import type { Pesewas } from "#shared/text/money.ts";
import type { Suggestion } from "./suggestion.ts";

type SuggestedBook = CoverBook & { id: string; price: Pesewas };

const facetNames = { publisher: "Publisher", subject: "Subject" } as const;
/** The limit for publishers, and for subjects. */
const FACETS = 2;

/** Lower case without accents, words separated by one space, with a leading space. */
const wordsOf = (text: string) =>
  ` ${text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()}`;

/** The publishers and subjects in which every typed word starts a word, those with the most books first. */
function suggestFacets(
  typed: string,
  facets: readonly Facet[],
  facet: keyof typeof facetNames,
): Suggestion[] {
  const requested = wordsOf(typed).split(" ").filter(Boolean);
  if (requested.length === 0) return [];
  return facets
    .filter(
      (row) => row.facet === facet && requested.every((word) => wordsOf(row.value).includes(` ${word}`)),
    )
    .sort((a, b) => b.books - a.books)
    .slice(0, FACETS)
    .map(({ value, books }) => ({
      text: value,
      note: `${facetNames[facet]}, ${countOf(books, "book")}`,
      to: catalogueHref({ [facet]: value }),
    }));
}

/** Suggestions for a typed text: books, then the catalogue's publishers and subjects. */
export function suggest(
  typed: string,
  books: readonly SuggestedBook[],
  facets: readonly Facet[],
): Suggestion[] {
  return [
    ...books.map(({ course, subject, image_url, ...book }) => ({
      text: book.title,
      note: book.publisher ?? "",
      to: bookPath(book),
      price: book.price,
      cover: { course, subject, image_url },
    })),
    ...suggestFacets(typed, facets, "publisher"),
    ...suggestFacets(typed, facets, "subject"),
  ];
}
