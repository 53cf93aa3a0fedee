import { quotedDestination } from "#shared/orders/quote-delivery.ts";
import type { OwnQuote } from "./quote.queries.ts";
import { hasRequested } from "./quote.ts";

/** The books in a school's request, before there are prices to show. */
export function RequestedBooks({ quote }: { quote: OwnQuote }) {
  const destination = quotedDestination(quote);
  const heading = hasRequested(quote.lines) ? "Books you asked about" : "Books in this quote";
  return (
    <section aria-labelledby="requested-books" className="max-w-2xl">
      <h2 id="requested-books" className="text-20">
        {heading}
      </h2>
      <ul aria-label={heading} className="mt-2 border-t border-line text-15">
        {quote.lines.map(({ book_id, title, quantity }) => (
          <li key={book_id} className="flex justify-between gap-4 border-b border-line py-2.5">
            <span className="min-w-0 wrap-anywhere">{title}</span>
            <span className="figures shrink-0 font-semibold">
              {quantity} {quantity === 1 ? "copy" : "copies"}
            </span>
          </li>
        ))}
      </ul>
      {destination && <p className="mt-3 text-15">Delivery: {destination}</p>}
      {quote.message && (
        <>
          <h3 className="mt-6 font-sans text-15 font-semibold">Your message</h3>
          <p className="text-15 wrap-anywhere whitespace-pre-line">{quote.message}</p>
        </>
      )}
    </section>
  );
}
