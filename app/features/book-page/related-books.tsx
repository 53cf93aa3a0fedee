import type { CardBook } from "#app/features/books/book-fields.ts";
import { ShopBookCard } from "#app/features/catalogue/book-card.tsx";

type RelatedBooksProps = { publisher: string | null; ofCourse: CardBook[]; ofPublisher: CardBook[] };

/** Two rows: the other books of the course or series, next levels first, and more from the publisher. */
export function RelatedBooks({ publisher, ofCourse, ofPublisher }: RelatedBooksProps) {
  return (
    <>
      <Row id="series" title="Same series or course" books={ofCourse} />
      <Row id="publisher" title={`More from ${publisher}`} books={ofPublisher} />
    </>
  );
}

function Row({ id, title, books }: { id: string; title: string; books: CardBook[] }) {
  if (books.length === 0) return null;
  return (
    <section aria-labelledby={id} className="page pt-14">
      <h2 id={id} className="mb-4 border-t border-line pt-6 text-25">
        {title}
      </h2>
      <ul aria-label={title} className="shelf">
        {books.map((book) => (
          <li key={book.id} className="shelf-book">
            <ShopBookCard level={3} book={book} />
          </li>
        ))}
      </ul>
    </section>
  );
}
