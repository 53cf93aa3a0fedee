import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { BookGrid, ShopBookCard } from "#app/features/catalogue/book-card.tsx";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";

/** The first books found, and a link to all of them. */
export function MatchingBooks({ books, total, q }: { books: CardBook[]; total: number; q: string }) {
  if (books.length === 0) return null;
  return (
    <section aria-label="Books" className="pt-10">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 className="text-25">Books</h2>
        <Link to={catalogueHref({ q })} className={buttonClass({ variant: "secondary" })}>
          View All {total} Books
        </Link>
      </div>
      <BookGrid
        label="Books found"
        books={books}
        cardOf={(book, priority) => <ShopBookCard book={book} priority={priority} level={3} />}
      />
    </section>
  );
}
