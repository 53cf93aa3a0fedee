import { type KeyboardEvent, useId, useRef, useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { showToast } from "#app/components/toast.ts";
import { useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { publisherName } from "#app/features/books/book.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { formatCedis } from "#app/lib/money.ts";
import { cutSearchText } from "#app/lib/search-text.ts";
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
  const [asked, setAsked] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [said, setSaid] = useState("");
  const text = cutSearchText(typed);
  const found = useAdminQuery(["booklists", "suggestions", asked], (client) => suggestBooks(client, asked), {
    enabled: asked !== "",
  });
  const isCurrent = asked === text && text !== "" && !found.isFetching;
  const books = isCurrent ? (found.data?.books ?? []) : [];
  const shown = isOpen && isCurrent;
  const choices = books.length + 1;

  function reset() {
    clearTimeout(timer.current);
    setTyped("");
    setAsked("");
    setIsOpen(false);
    setActive(0);
  }
  function add(what: CardBook | string, isDone = true) {
    const line = newLine(what);
    const problem = lines.some(({ book_id }) => book_id !== null && book_id === line.book_id)
      ? `${line.title} is already on the list.`
      : roomProblem(lines, 1);
    if (problem) {
      showToast("error", problem);
      setSaid("");
    } else {
      onAdd(line);
      setSaid(`${line.title} added, line ${lines.length + 1}.`);
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

  function press(event: KeyboardEvent) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (text === "") return;
      if (!isCurrent) {
        clearTimeout(timer.current);
        setAsked(text);
        lookUp.mutate(text);
      } else if (!isOpen) setIsOpen(true);
      else add(books[active] ?? text);
    } else if (event.key === "Escape") setIsOpen(false);
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && isCurrent) {
      event.preventDefault();
      setIsOpen(true);
      setActive((active + (event.key === "ArrowDown" ? 1 : -1) + choices) % choices);
    }
  }
  const optionId = (place: number) => `${id}-${place}`;

  return (
    <div className="relative">
      <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
        Add a book by title, author or ISBN
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? `${id}-list` : undefined}
        aria-activedescendant={shown ? optionId(active) : undefined}
        aria-describedby={`${id}-note`}
        autoComplete="off"
        className={controlClass}
        value={typed}
        onChange={({ target }) => {
          const next = target.value;
          setTyped(next);
          setActive(0);
          setIsOpen(true);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setAsked(cutSearchText(next)), DEBOUNCE_MS);
        }}
        onKeyDown={press}
        onBlur={() => setIsOpen(false)}
      />
      <p id={`${id}-note`} className="mt-1.5 text-15 text-muted">
        Press Enter to add the highlighted book.
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
      {shown && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Books found"
          className="absolute inset-x-0 top-19 z-20 max-h-96 overflow-y-auto rounded-control border border-line-strong bg-surface py-1 shadow-float"
        >
          {[...books, null].map((book, place) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input responds to the keys
            <div
              key={book?.id ?? "words"}
              id={optionId(place)}
              role="option"
              aria-selected={place === active}
              className={`min-h-11 cursor-pointer px-3 py-1.5 hover:bg-tint ${place === active ? "bg-tint" : ""}`}
              // Keeps the focus in the input: losing it would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add(book ?? text)}
            >
              {book ? (
                <>
                  <span className="block wrap-anywhere">
                    <JoinedTexts
                      texts={[book.title, ...(book.edition ? [book.edition] : [])]}
                      separator=", "
                    />
                  </span>
                  <span className="figures block text-13 text-muted">
                    <bdi>{publisherName(book.publisher)}</bdi> · {formatCedis(book.price)} ·{" "}
                    {book.stock_quantity} in stock
                  </span>
                </>
              ) : (
                <span className="block py-1.5 wrap-anywhere">
                  Add “<bdi>{text}</bdi>” as text (not sold here)
                </span>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
