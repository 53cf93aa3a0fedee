import { Badge } from "#app/components/badge.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { countKinds, listLowStockBooks } from "./book.admin-queries.ts";
import { stockCardPath } from "./book-paths.ts";

/** The dashboard shows this many (spec section 9). */
const SHOWN = 5;

/** Books with few copies left, fewest first. */
export function LowStock() {
  const books = useAdminQuery(["books", "low-stock"], (client) => listLowStockBooks(client, SHOWN), {
    refreshing: true,
  });
  const kinds = useAdminQuery(["books", "kinds"], countKinds);
  const hasBooks = kinds.data?.some(({ titles }) => titles > 0) ?? true;
  const failure = readFailure("low stock", books);
  return (
    <Panel title="Low Stock Alert">
      {failure && <RetryNote {...failure} />}
      {books.isPending && <Skeleton className="h-40" />}
      {books.data?.length === 0 && (
        <p className="py-2 text-muted">{hasBooks ? "All books are well stocked" : "No books yet"}</p>
      )}
      <ul>
        {books.data?.map((book) => (
          <li
            key={book.id}
            className="flex items-center justify-between gap-4 border-t border-line py-2 first:border-t-0"
          >
            <div className="min-w-0">
              <OfficeLink
                to={`/admin/books?book=${book.id}`}
                duty="catalogue"
                className="-my-2.5 block py-2.5 font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-green"
              >
                {/* Cut here and not on the link: its padding would show the top of the next line. */}
                <span className="line-clamp-2">{book.title}</span>
              </OfficeLink>
              <p className="text-13 text-muted">{publisherName(book.publisher)}</p>
            </div>
            <OfficeLink
              to={stockCardPath(book)}
              aria-label={`${book.stock_quantity} left: stock card of ${book.title}`}
              className="-my-2.5 shrink-0 py-2.5 no-underline"
            >
              <Badge variant={book.stock_quantity === 0 ? "destructive" : "warning"}>
                {book.stock_quantity} left
              </Badge>
            </OfficeLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
