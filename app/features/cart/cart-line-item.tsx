import { useState } from "react";
import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { QuantityStepper } from "#app/components/quantity-stepper.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { digitalName } from "#app/features/books/kinds.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { formatCedis } from "#shared/text/money.ts";
import {
  type CartLine,
  copiesShort,
  lineTotal,
  MAX_QUANTITY,
  parseQuantity,
  shortageNote,
  TOO_MANY,
} from "./cart.ts";
import { lineLists, listsOf } from "./line-lists.ts";
import { smallAction, TakeLeft } from "./take-left.tsx";

type CartLineItemProps = {
  line: CartLine;
  onQuantity: (quantity: number) => void;
  onRemove: () => void;
};

export function CartLineItem({ line, onQuantity, onRemove }: CartLineItemProps) {
  const { book, quantity } = line;
  const { backendUrl } = useSiteSettings();
  const [tooMany, setTooMany] = useState(false);

  function change(requested: number) {
    setTooMany(requested > MAX_QUANTITY);
    if (requested <= MAX_QUANTITY) onQuantity(requested);
  }

  return (
    <li className="flex gap-4 border-b border-line py-5 last:border-b-0">
      <BookCover book={book} backendUrl={backendUrl} sizes="72px" className="w-18 shrink-0 self-start" />
      <div className="min-w-0 grow text-15">
        <div className="flex items-start gap-2">
          <h3 className="line-clamp-4 grow wrap-anywhere font-sans leading-snug font-semibold">
            {book.title}
          </h3>
          <button
            type="button"
            aria-label={`Remove ${book.title}`}
            onClick={onRemove}
            className="-mt-2.5 -mr-2.5 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-clay-tint hover:text-clay"
          >
            <Icon name="trash" size={18} />
          </button>
        </div>
        <p className="text-13 text-muted">{publisherName(book.publisher)}</p>
        {book.kind === "digital" && <p className="text-13 font-semibold">{digitalName(book)}</p>}
        <FromLists lineId={line.id} />
        <p className="figures">{formatCedis(book.price)}</p>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <QuantityStepper
            value={quantity}
            max={MAX_QUANTITY}
            subject={book.title}
            parse={parseQuantity}
            onChange={change}
          />
          {quantity > 1 && (
            <span className="figures font-semibold">
              <span className="sr-only">Line total </span>
              {formatCedis(lineTotal(line))}
            </span>
          )}
        </div>
        {tooMany && (
          <p role="alert" className="mt-2 text-13 font-semibold text-clay">
            {TOO_MANY}
          </p>
        )}
        <LineNote line={line} onQuantity={change} />
      </div>
    </li>
  );
}

/** The booklists from which this browser put the line into the cart. */
function FromLists({ lineId }: { lineId: string }) {
  const lists = useStore(lineLists);
  return listsOf(lists, lineId).map(({ path, name }) => (
    <p key={path} className="text-13 wrap-anywhere text-muted">
      From the booklist{" "}
      <Link to={path} className="text-green underline underline-offset-4">
        <bdi>{name}</bdi>
      </Link>
    </p>
  ));
}

/** Why this line cannot be ordered, and what the customer can do about it. */
function LineNote({ line, onQuantity }: Pick<CartLineItemProps, "line" | "onQuantity">) {
  const left = copiesShort(line);
  if (left === null) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 text-13">
      <p className="font-semibold text-clay">{shortageNote(left)}</p>
      <TakeLeft left={left} title={line.book.title} onTake={onQuantity} />
      {left >= 0 && (
        <Link to="/contact" className={smallAction}>
          Ask us for more
          <span className="sr-only"> of {line.book.title}</span>
        </Link>
      )}
    </div>
  );
}
