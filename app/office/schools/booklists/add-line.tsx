import { type KeyboardEvent, useId, useRef, useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { showToast } from "#app/components/toast.ts";
import { publisherName } from "#app/features/books/book.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { looksLikeIsbn } from "#app/features/books/isbn.ts";
import { Listbox, useListbox } from "#app/office/components/listbox.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { leftToSell } from "#app/office/frame/lines/left-to-sell.ts";
import { ScanNotes } from "#app/office/frame/scanning/scan-notes.tsx";
import { useBookScans } from "#app/office/frame/scanning/use-book-scans.ts";
import { formatCedis } from "#shared/text/money.ts";
import { cutSearchText } from "#shared/text/search-text.ts";
import { suggestBooks } from "./booklist.admin-queries.ts";
import { type DraftLine, newLine, roomProblem } from "./booklist-draft.ts";

/** Long enough to type a word, short enough to feel instant. */
const DEBOUNCE_MS = 150;

type AddLineProps = { lines: readonly DraftLine[]; onAdd: (line: DraftLine) => void };

/**
 * Finds a book by title, author or ISBN: Enter adds the highlighted one, and the field is ready for the next. A
 * scanned ISBN is added as soon as its book is found. The last choice adds the typed text itself, for items that the
 * shop does not sell.
 */
export function AddLine({ lines, onAdd }: AddLineProps) {
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState("");
  const [requested, setRequested] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const text = cutSearchText(typed);
  const found = useAdminQuery(
    ["booklists", "suggestions", requested],
    (client) => suggestBooks(client, requested),
    {
      enabled: requested !== "",
    },
  );
  const isCurrent = requested === text && text !== "" && !found.isFetching;
  const books = isCurrent ? (found.data?.books ?? []) : [];
  const shown = isOpen && isCurrent;
  const choices = [...books, null];
  const listbox = useListbox({ shown, count: choices.length, start: 0 });

  function reset() {
    clearTimeout(timer.current);
    setTyped("");
    setRequested("");
    setIsOpen(false);
    listbox.reset();
  }
  function problemOf(line: DraftLine): string | null {
    return lines.some(({ book_id }) => book_id !== null && book_id === line.book_id)
      ? `${line.title} is already on the list.`
      : roomProblem(lines, 1);
  }
  const scans = useBookScans((book) => {
    const line = newLine(book);
    const problem = problemOf(line);
    if (!problem) onAdd(line);
    return problem ?? `${line.title} added, line ${lines.length + 1}.`;
  });
  function add(what: CardBook | string, isDone = true) {
    const line = newLine(what);
    const problem = problemOf(line);
    if (problem) {
      showToast("error", problem);
      setAnnouncement("");
    } else {
      onAdd(line);
      setAnnouncement(`${line.title} added, line ${lines.length + 1}.`);
    }
    if (isDone) reset();
  }
  // Enter came before the suggestions, as from a scanner: an only match is added.
  const lookUp = useAdminMutation({
    run: suggestBooks,
    success: () => null,
    failure: "Failed to search books",
    failureWithReason: true,
    onSuccess: ({ exact, books: all }, q) => {
      const [only, ...others] = exact.length > 0 ? exact : all;
      const isWaiting = text === q;
      if (only && others.length === 0) add(only, isWaiting);
      else if (isWaiting) setIsOpen(true);
    },
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (text === "") return;
      if (looksLikeIsbn(text) && listbox.active === 0) {
        scans.scan(text);
        reset();
      } else if (!isCurrent) {
        clearTimeout(timer.current);
        setRequested(text);
        lookUp.mutate(text);
      } else if (!isOpen) setIsOpen(true);
      else add(books[listbox.active] ?? text);
    } else if (event.key === "Escape") setIsOpen(false);
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && isCurrent) {
      event.preventDefault();
      setIsOpen(true);
      listbox.move(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  return (
    <div className="relative">
      <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
        Add a book by title, author or ISBN
      </label>
      <input
        id={id}
        type="text"
        {...listbox.boxProps}
        aria-describedby={`${id}-note`}
        className={controlClass}
        value={typed}
        onChange={({ target }) => {
          const next = target.value;
          setTyped(next);
          listbox.reset();
          setIsOpen(true);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setRequested(cutSearchText(next)), DEBOUNCE_MS);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setIsOpen(false)}
      />
      <p id={`${id}-note`} className="mt-1.5 text-15 text-muted">
        Press Enter to add the highlighted book.
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ScanNotes {...scans} />
      {shown && (
        <Listbox
          listbox={listbox}
          label="Books found"
          options={choices}
          keyOf={(book) => book?.id ?? "words"}
          onChoose={(book) => add(book ?? text)}
          className="top-19 max-h-96"
        >
          {(book) =>
            book ? (
              <>
                <span className="block wrap-anywhere">
                  <JoinedTexts texts={[book.title, ...(book.edition ? [book.edition] : [])]} separator=", " />
                </span>
                <span className="figures block text-13 text-muted">
                  <bdi>{publisherName(book.publisher)}</bdi> · {formatCedis(book.price)} ·{" "}
                  {leftToSell(book.stock_quantity)}
                </span>
              </>
            ) : (
              <span className="block py-1.5 wrap-anywhere">
                Add “<bdi>{text}</bdi>” as text (not sold here)
              </span>
            )
          }
        </Listbox>
      )}
    </div>
  );
}
