import { type FormEvent, useDeferredValue, useEffect, useEffectEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { looksLikeIsbn } from "#app/features/books/isbn.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { ResultList } from "#app/office/frame/result-list.tsx";
import { ScanNotes } from "#app/office/frame/scanning/scan-notes.tsx";
import { useBookScans } from "#app/office/frame/scanning/use-book-scans.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type BookToAdd, findBooksToAdd } from "./book-to-add.admin-queries.ts";
import { leftToSell } from "./left-to-sell.ts";

type AddLineProps = {
  added: ReadonlySet<string>;
  /** Shown for a book that is added already. */
  there: string;
  onAdd: (book: BookToAdd) => void;
  /** Called when an existing book is scanned again, to add a copy. */
  onAgain?: (bookId: string) => void;
};

/**
 * Finds books by title or ISBN; Enter adds the first one that has not been added yet. A scanned ISBN is looked up in
 * the background, so that the field is free for the next.
 */
export function AddLine({ added, there, onAdd, onAgain }: AddLineProps) {
  const scans = useBookScans((book) => {
    if (!added.has(book.id)) {
      onAdd(book);
      return `Added: ${book.title}`;
    }
    onAgain?.(book.id);
    return onAgain ? `One more copy: ${book.title}` : `${there}: ${book.title}`;
  });
  const [typed, setTyped] = useState("");
  const [entered, setEntered] = useState<string | null>(null);
  const q = useDeferredValue(typed.trim());
  const found = useAdminQuery(["books", "quoting", q], (client) => findBooksToAdd(client, q), {
    enabled: q.length >= 2,
    keepPrevious: true,
  });
  const failure = readFailure("books", found);
  const books = q.length >= 2 ? (found.data ?? []) : [];
  // Until the typed text has been searched for, the first book may belong to an earlier text.
  const isCurrent = q === typed.trim() && !found.isFetching && !found.isPlaceholderData;
  const first = books.find(({ id }) => !added.has(id));

  function add(book: BookToAdd) {
    onAdd(book);
    setTyped("");
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (looksLikeIsbn(typed)) {
      scans.scan(typed);
      setTyped("");
    } else setEntered(typed.trim());
  }
  // Enter can come before the results for the whole text.
  const isDue = isCurrent && entered !== null && found.data !== undefined;
  const addEntered = useEffectEvent(() => {
    setEntered(null);
    if (first && entered === typed.trim()) add(first);
  });
  useEffect(() => {
    if (isDue) addEntered();
  }, [isDue]);

  return (
    <form onSubmit={submit} className="max-w-2xl">
      <InputField
        label="Add a book"
        type="search"
        autoComplete="off"
        hint="Title or ISBN; Enter adds the first match."
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ScanNotes {...scans} />
      {failure && <RetryNote {...failure} />}
      <p role="status" className="sr-only">
        {q.length >= 2 && isCurrent ? `${countOf(books.length, "book")} found` : ""}
      </p>
      {q.length >= 2 && found.data?.length === 0 && <p className="mt-2 text-muted">No matching books</p>}
      <ResultList
        label="Books found"
        items={books}
        describe={(book) => (
          <>
            <span className="block">{book.title}</span>
            <span className="figures text-13 text-muted">
              {formatCedis(book.price)}, {leftToSell(book.stock_quantity)}
            </span>
          </>
        )}
        action={(book) =>
          added.has(book.id) ? (
            <span className="text-13 text-muted">{there}</span>
          ) : (
            <Button
              variant="secondary"
              size="small"
              aria-label={`Add ${book.title}`}
              onClick={() => add(book)}
            >
              Add
            </Button>
          )
        }
      />
    </form>
  );
}
