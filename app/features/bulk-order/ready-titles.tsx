import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { bookIsbn, publisherName } from "#app/features/books/book.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import { shortageNote } from "#app/features/cart/cart.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, timesQuantity } from "#shared/text/money.ts";
import type { PadLine, ReadyTitle } from "./pad.ts";
import { QuantityInput } from "./quantity-input.tsx";

type ReadyTitlesProps = {
  ready: readonly ReadyTitle[];
  onQuantity: (title: ReadyTitle, quantity: number) => void;
  onRemove: (lines: readonly PadLine[]) => void;
};

/** The titles that can go into the cart, with price and sum. On a phone price and sum are below the title. */
export function ReadyTitles({ ready, onQuantity, onRemove }: ReadyTitlesProps) {
  if (ready.length === 0) return null;
  return (
    <section aria-labelledby="ready-titles">
      <h2 id="ready-titles" className="text-20 sm:text-25">
        {countOf(ready.length, "title")} found
      </h2>
      <table aria-labelledby="ready-titles" className="mt-3 w-full border-t border-line text-15">
        <thead className="text-left text-13 text-muted max-sm:sr-only">
          <tr>
            <th className="py-2 pr-4 font-semibold">Title</th>
            <th className="py-2 pr-4 text-right font-semibold max-sm:hidden">Price</th>
            <th className="py-2 pr-4 font-semibold">Quantity</th>
            <th className="py-2 pr-4 text-right font-semibold max-sm:hidden">Line total</th>
            <th className="py-2">
              <span className="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {ready.map((title) => (
            <ReadyRow key={title.book.id} title={title} onQuantity={onQuantity} onRemove={onRemove} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ReadyRow({
  title,
  onQuantity,
  onRemove,
}: { title: ReadyTitle } & Pick<ReadyTitlesProps, "onQuantity" | "onRemove">) {
  const { book, lines, quantity, adding } = title;
  const total = formatCedis(timesQuantity(book.price, adding));
  const details = [publisherName(book.publisher), book.edition, bookIsbn(book)].filter(
    (text): text is string => Boolean(text),
  );
  return (
    <tr className="border-t border-line align-top">
      <td className="py-3 pr-3 sm:pr-4">
        <Link
          to={bookPath(book)}
          className="font-semibold wrap-anywhere text-ink underline decoration-line-strong underline-offset-4 hover:decoration-green"
        >
          {book.title}
        </Link>
        <p className="figures text-13 text-muted">
          <JoinedTexts texts={details} />
        </p>
        <p className="figures text-13 sm:hidden">
          {formatCedis(book.price)} × {adding} = <span className="font-semibold">{total}</span>
        </p>
        {lines.length > 1 && (
          <p className="figures text-13 text-sky">
            Lines {lines.map(({ line }) => line).join(", ")} added up:{" "}
            {lines.map((line) => line.quantity).join(" + ")}
          </p>
        )}
        {lines.map(
          ({ line, typed, quantity }) =>
            typed && (
              <p key={line} className="figures text-13 wrap-anywhere text-sky">
                Line {line}: “<bdi>{typed}</bdi>” read as {countOf(quantity ?? 0, "copy", "copies")}
              </p>
            ),
        )}
        {adding < quantity && (
          <p className="text-13 font-semibold text-clay">
            {shortageNote(adding)}: {adding} of {quantity} can be added.
          </p>
        )}
      </td>
      <td className="figures py-3 pr-4 text-right whitespace-nowrap max-sm:hidden">
        {formatCedis(book.price)}
      </td>
      <td className="py-1.5 pr-1 sm:pr-4">
        <QuantityInput
          value={quantity}
          subject={book.title}
          onChange={(requested) => onQuantity(title, requested)}
        />
      </td>
      <td className="figures py-3 pr-4 text-right font-semibold whitespace-nowrap max-sm:hidden">{total}</td>
      <td className="w-11 py-1.5">
        <button
          type="button"
          aria-label={`Remove ${book.title}`}
          onClick={() => onRemove(lines)}
          className="grid size-11 place-items-center rounded-control text-muted hover:bg-clay-tint hover:text-clay"
        >
          <Icon name="trash" size={18} />
        </button>
      </td>
    </tr>
  );
}
