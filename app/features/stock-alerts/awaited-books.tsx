import { Link } from "react-router";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { bookPath } from "#app/features/books/book-address.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { listAwaitedBooks } from "./stock-alert.queries.ts";
import { AlertForm, type WaitedForBook } from "./stock-alert-button.tsx";
import { useIsWaitingFor } from "./use-stock-alerts.ts";

/** The books the user is waiting for. A cancelled request stays listed until they leave the page, so that they can undo it. */
export function AwaitedBooks({ userId }: { userId: string }) {
  const readBooks = () =>
    readOrSaved("awaited-books", userId, async () => listAwaitedBooks(await getBackend(), userId));
  const read = useRead(userId, readBooks, {
    onFailure: (error) => logFailure("Failed to read the books the user is waiting for", error),
  });
  if (read.status === "loading") return <p className="text-muted">Loading…</p>;
  if (!read.result)
    return <LoadFailed text="We couldn't load the books you're waiting for." onTryAgain={read.retry} />;
  if (read.result.length === 0)
    return (
      <p>
        You aren't waiting for any books. On a book that's out of stock, choose "Email me when it's back".
      </p>
    );
  return (
    <ul className="grid gap-4">
      {read.result.map((book) => (
        <AwaitedBook key={book.id} book={book} />
      ))}
    </ul>
  );
}

/** A request for a book that is no longer sold can still be cancelled. */
function AwaitedBook({ book }: { book: WaitedForBook }) {
  const isWaiting = useIsWaitingFor(book.id);
  const left = book.stock_quantity;
  return (
    <li>
      <Link to={bookPath(book)} className="font-semibold wrap-anywhere">
        {book.title}
      </Link>
      {left === -2 && <p className="text-15 text-clay">{unavailableWords(left)}</p>}
      {(isWaiting || left === 0 || left === -1) && <AlertForm book={book} />}
    </li>
  );
}
