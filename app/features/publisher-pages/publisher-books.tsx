import type { CardBook } from "#app/features/books/book-fields.ts";
import { BookGrid } from "#app/features/catalogue/book-card.tsx";
import { NoPublisherBooks, PublisherBookCard } from "./publisher-book-card.tsx";

/** A publisher's first books in the catalogue; the link to all of them is further up the page. */
export function PublisherBooks({ publisher, books }: { publisher: string; books: readonly CardBook[] }) {
  if (books.length === 0) return <NoPublisherBooks publisher={publisher} />;
  return (
    <BookGrid
      label={`Titles by ${publisher}`}
      books={books}
      cardOf={(book, priority) => <PublisherBookCard book={book} level={2} priority={priority} />}
    />
  );
}
