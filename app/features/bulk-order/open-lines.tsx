import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { Icon } from "#app/components/icon.tsx";
import { publisherName } from "#app/features/books/book.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { digitalName } from "#app/features/books/kinds.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { bookAttribute } from "#app/features/session/sign-in-return.ts";
import { emailLink, whatsAppLink } from "#app/features/site/contact-links.ts";
import { searchPath } from "#app/features/site/navigation.ts";
import { StockAlertButton } from "#app/features/stock-alerts/stock-alert-button.tsx";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { saveTable } from "#app/lib/tables/save-table.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { findCloseMatches, MAX_CLOSE_SEARCHES } from "./close-matches.ts";
import { leftOverMessage, leftOverTable } from "./left-over.ts";
import { lookupTexts, type OpenLine, type PadLine } from "./pad.ts";
import { QuantityInput } from "./quantity-input.tsx";

type OpenLinesProps = {
  open: readonly OpenLine[];
  onChange: (line: PadLine, change: Partial<PadLine>) => void;
  /** Replaces an unknown line's text with a book. */
  onChoose: (line: PadLine, book: CardBook) => void;
  onRemove: (lines: readonly PadLine[]) => void;
};

/** The lines that cannot go into the cart yet: the problem and the remedy for each, and where to send the rest. */
export function OpenLines({ open, ...actions }: OpenLinesProps) {
  if (open.length === 0) return null;
  const unknown = open.filter(({ searchText }) => searchText !== undefined).slice(0, MAX_CLOSE_SEARCHES);
  const message = leftOverMessage(open);
  return (
    <section aria-labelledby="open-lines" className="border-t-4 border-gold bg-gold-tint px-4 py-5 sm:px-6">
      <h2 id="open-lines" className="text-20 sm:text-25">
        {countOf(open.length, "line needs", "lines need")} your attention
      </h2>
      <ul aria-label="Lines that need your attention" className="mt-3 border-t border-line-strong/40">
        {open.map((one) => (
          <OpenLineItem key={one.line.line} {...one} {...actions} looksForClose={unknown.includes(one)} />
        ))}
      </ul>
      <p className="mt-5 text-15">
        Can't find a title? Send us {open.length === 1 ? "this line" : "these lines"} and we'll look for{" "}
        {open.length === 1 ? "it" : "them"}.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {currentShop().whatsApp && (
          <a
            href={whatsAppLink(message.body)}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: "secondary" })}
          >
            <Icon name="chat" />
            Send by WhatsApp
          </a>
        )}
        <a href={emailLink(message)} className={buttonClass({ variant: "secondary" })}>
          <Icon name="mail" />
          Send by email
        </a>
        <Button variant="secondary" onClick={() => void saveTable(leftOverTable(open), "csv")}>
          Download CSV
        </Button>
        <Button variant="secondary" onClick={() => void saveTable(leftOverTable(open), "xlsx")}>
          Download Excel
        </Button>
      </div>
    </section>
  );
}

type OpenLineItemProps = OpenLine &
  Omit<OpenLinesProps, "open"> & {
    /** Whether to look for close matches of a line that the shop does not know. */
    looksForClose: boolean;
  };

function OpenLineItem(props: OpenLineItemProps) {
  const { line, problem, choices, needsQuantity, searchText, soldOut, onChange, onChoose, onRemove } = props;
  const name = lookupTexts(line).join(", ");
  const close = useRead(
    (props.looksForClose && searchText) || null,
    () => findCloseMatches(searchText ?? ""),
    { onFailure: (error) => logFailure("Failed to find close matches", error) },
  );
  return (
    <li className="flex items-start gap-3 border-b border-line-strong/40 py-3 text-15">
      <div className="min-w-0 grow">
        <p className="wrap-anywhere">
          <span className="figures text-gold-ink">Line {line.line}: </span>
          <bdi className="font-semibold">{name}</bdi>
          {line.quantity !== null && <span className="figures"> × {line.quantity}</span>}
        </p>
        <p className="text-gold-ink">{problem}</p>
        {choices.length > 0 && (
          <BookChoice
            label={`Book for line ${line.line}`}
            empty="Choose one"
            books={choices}
            onChoose={({ id }) => onChange(line, { bookId: id })}
          />
        )}
        {close.result && close.result.length > 0 && (
          <BookChoice
            label={`Close match for line ${line.line}`}
            empty={close.result.length === 1 ? "Is it this one?" : "Is it one of these?"}
            books={close.result}
            onChoose={(book) => onChoose(line, book)}
          />
        )}
        {soldOut && (
          <div {...bookAttribute(soldOut.id)}>
            <StockAlertButton book={soldOut} />
          </div>
        )}
        {searchText !== undefined && (
          <p>
            <Link
              to={searchPath(searchText)}
              className="inline-flex min-h-11 items-center font-semibold text-green underline hover:text-green-deep"
            >
              Search the shop
              <span className="sr-only">
                {" "}
                for <bdi>{searchText}</bdi>
              </span>
            </Link>
          </p>
        )}
      </div>
      {needsQuantity && (
        <QuantityInput value={null} subject={name} onChange={(quantity) => onChange(line, { quantity })} />
      )}
      <button
        type="button"
        aria-label={`Remove line ${line.line}, ${name}`}
        onClick={() => onRemove([line])}
        className="-mt-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-control text-gold-ink hover:bg-clay-tint hover:text-clay"
      >
        <Icon name="trash" size={18} />
      </button>
    </li>
  );
}

type BookChoiceProps = {
  label: string;
  /** The text of the empty option. */
  empty: string;
  books: readonly CardBook[];
  onChoose: (book: CardBook) => void;
};

function BookChoice({ label, empty, books, onChoose }: BookChoiceProps) {
  return (
    <select
      aria-label={label}
      className={`${controlClass} mt-2 max-w-xl`}
      value=""
      onChange={(event) => {
        const book = books.find(({ id }) => id === event.target.value);
        if (book) onChoose(book);
      }}
    >
      <option value="">{empty}</option>
      {books.map((book) => (
        <option key={book.id} value={book.id}>
          {describe(book)}
        </option>
      ))}
    </select>
  );
}

/** What distinguishes books with the same title. */
function describe(book: CardBook): string {
  const { title, publisher, edition, isbn, price, stock_quantity } = book;
  const stock =
    stock_quantity > 0
      ? (digitalName(book)?.toLowerCase() ?? `${stock_quantity} in stock`)
      : unavailableWords(stock_quantity).toLowerCase();
  return [title, publisherName(publisher), edition, isbn, formatCedis(price), stock]
    .filter(Boolean)
    .join(", ");
}
