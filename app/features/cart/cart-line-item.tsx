import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { QuantityStepper } from "#app/components/quantity-stepper.tsx";
import { BookCover } from "#app/features/books/book-cover.tsx";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { useSiteSettings } from "#app/lib/site-settings.ts";
import { type CartLine, copiesShort, lineTotal, MAX_QUANTITY, parseQuantity } from "./cart.ts";

type CartLineItemProps = {
  line: CartLine;
  onQuantity: (quantity: number) => void;
  onRemove: () => void;
};

const wayOut = "inline-flex min-h-8 items-center font-semibold text-green underline hover:text-green-deep";

/** One title in the panel: what it is, what it costs, how many. */
export function CartLineItem({ line, onQuantity, onRemove }: CartLineItemProps) {
  const { book, quantity } = line;
  const { backendUrl } = useSiteSettings();
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
        <p className="text-13 text-muted">{book.publisher ?? "Unknown"}</p>
        <p className="figures">{formatCedis(pesewasFromCedis(book.price))}</p>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <QuantityStepper
            value={quantity}
            max={MAX_QUANTITY}
            subject={book.title}
            parse={parseQuantity}
            onChange={onQuantity}
          />
          {quantity > 1 && (
            <span className="figures font-semibold">
              <span className="sr-only">Together </span>
              {formatCedis(lineTotal(line))}
            </span>
          )}
        </div>
        <LineNote line={line} onQuantity={onQuantity} />
      </div>
    </li>
  );
}

/** What stands in the way of ordering this line, and the ways out. */
function LineNote({ line, onQuantity }: Pick<CartLineItemProps, "line" | "onQuantity">) {
  const left = copiesShort(line);
  if (left === null && line.quantity < MAX_QUANTITY) return null;
  if (left === null) {
    return (
      <p className="mt-2 text-13 text-muted">{MAX_QUANTITY} copies of a title are the most in one order.</p>
    );
  }
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 text-13">
      <p className="font-semibold text-clay">{left === 0 ? "Out of stock" : `Only ${left} left`}</p>
      {left > 0 && (
        <button type="button" className={wayOut} onClick={() => onQuantity(left)}>
          Take {left}
          <span className="sr-only"> of {line.book.title}</span>
        </button>
      )}
      <Link to="/contact" className={wayOut}>
        Ask us for more
        <span className="sr-only"> of {line.book.title}</span>
      </Link>
    </div>
  );
}
