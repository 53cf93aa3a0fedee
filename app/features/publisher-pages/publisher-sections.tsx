import { BookGrid } from "#app/features/catalogue/book-card.tsx";
import { PublisherBookCard } from "./publisher-book-card.tsx";
import type { PublisherSection } from "./publisher-page.queries.ts";

/** A publisher's books in the catalogue, one shelf per stage. */
export function PublisherSections({ sections }: { sections: PublisherSection[] }) {
  return sections.map(({ section, books }, place) => (
    <section key={section} aria-label={section} className="border-t border-line pt-8 not-first:mt-6">
      <h2 className="mb-6 text-25 sm:text-32">{section}</h2>
      <BookGrid
        label={section}
        books={books}
        isFirst={place === 0}
        cardOf={(book, priority) => <PublisherBookCard book={book} level={3} priority={priority} />}
      />
    </section>
  ));
}
