import { useState } from "react";
import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import {
  listRemainingBooks,
  REMAINING_PAGE_SIZE,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import { remainingReason } from "#app/office/catalogue/book-import/remaining-books.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";

/** Which books undoing the import has left, or not changed back entirely, and why. */
export function RemainingBooks({ importId }: { importId: string }) {
  const [afterLine, setAfterLine] = useState(0);
  const books = useAdminQuery(
    ["book-import", importId, "remaining", afterLine],
    (client) => listRemainingBooks(client, importId, afterLine),
    { keepPrevious: true },
  );
  const failure = readFailure("books that stayed", books);
  if (failure) return <RetryNote {...failure} />;
  if (!books.data || (books.data.length === 0 && afterLine === 0)) return null;
  const last = books.data.at(-1)?.line;
  return (
    <Panel title="Books that stayed, and why">
      <ul>
        {books.data.map((book) => (
          <li key={book.line} className="border-t border-line py-2 first:border-t-0">
            {book.reason === "deleted" ? (
              <p className="font-semibold wrap-anywhere">{book.title}</p>
            ) : (
              <Link
                to={`/admin/books?book=${book.bookId}`}
                className="-my-2.5 inline-block py-2.5 font-semibold wrap-anywhere underline underline-offset-4"
              >
                {book.title}
              </Link>
            )}
            <p className="text-muted">
              Line {book.line.toLocaleString("en-GB")}: {remainingReason(book)}
            </p>
          </li>
        ))}
      </ul>
      {books.data.length === REMAINING_PAGE_SIZE && last !== undefined && (
        <Button variant="secondary" className="mt-2" onClick={() => setAfterLine(last)}>
          Next {REMAINING_PAGE_SIZE} books
        </Button>
      )}
    </Panel>
  );
}
