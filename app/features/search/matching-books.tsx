import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { BookGrid, ShopBookCard } from "#app/features/catalogue/book-card.tsx";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";
import { searchPath } from "#app/features/site/navigation.ts";
import type { SearchQuery } from "./search-query.ts";

type MatchingBooksProps = { books: CardBook[]; total: number; query: SearchQuery };

/** The first books found, and a link to all of them. */
export function MatchingBooks({ books, total, query }: MatchingBooksProps) {
  if (books.length === 0) return null;
  const { q, sort } = query;
  return (
    <section aria-label="Books" className="pt-10">
      <div className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-2">
        <h2 className="mr-auto text-25">Books</h2>
        {total > 1 && <BookOrder {...query} />}
        <Link to={catalogueHref({ q, sort })} className={buttonClass({ variant: "secondary" })}>
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

/** The order of the books as links, like the tabs. */
function BookOrder({ q, sort, usual, tab }: SearchQuery) {
  return (
    <nav aria-label="Sort by" className="flex text-15">
      {(["title", "best"] as const).map((order) => (
        <Link
          key={order}
          to={searchPath(q, { tab: tab === "all" ? "" : tab, sort: order === usual ? "" : order })}
          aria-current={order === (sort || usual) || undefined}
          preventScrollReset
          className="flex min-h-11 items-center px-2 text-green underline underline-offset-4 aria-[current]:text-ink aria-[current]:no-underline"
        >
          {order === "best" ? "Best match first" : "By title"}
        </Link>
      ))}
    </nav>
  );
}
