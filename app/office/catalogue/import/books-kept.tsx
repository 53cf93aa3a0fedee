import { useState } from "react";
import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { KEPT_PAGE_SIZE, listBooksKept } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { keptWords } from "#app/office/catalogue/book-import/books-kept.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";

/** Which books undoing the import has left, or not changed back entirely, and why. */
export function BooksKept({ importId }: { importId: string }) {
  const [afterLine, setAfterLine] = useState(0);
  const kept = useAdminQuery(
    ["book-import", importId, "kept", afterLine],
    (client) => listBooksKept(client, importId, afterLine),
    { keepPrevious: true },
  );
  const failure = readFailure("books that stayed", kept);
  if (failure) return <RetryNote {...failure} />;
  if (!kept.data || (kept.data.length === 0 && afterLine === 0)) return null;
  const last = kept.data.at(-1)?.line;
  return (
    <Panel title="Books that stayed, and why">
      <ul>
        {kept.data.map((book) => (
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
              Line {book.line.toLocaleString("en-GB")}: {keptWords(book)}
            </p>
          </li>
        ))}
      </ul>
      {kept.data.length === KEPT_PAGE_SIZE && last !== undefined && (
        <Button variant="secondary" className="mt-2" onClick={() => setAfterLine(last)}>
          Next {KEPT_PAGE_SIZE} books
        </Button>
      )}
    </Panel>
  );
}
