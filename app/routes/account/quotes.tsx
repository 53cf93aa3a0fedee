import { pageHead } from "#app/features/site/head.ts";
import type { Route } from "./+types/quotes.ts";
import { Quote } from "./quote.tsx";
import { QuoteList } from "./quote-list.tsx";
import { QuoteRequest } from "./quote-request.tsx";

const NEW = "new";

const heads = {
  list: { title: "My Quotes", description: "The quotes you asked for, newest first." },
  request: { title: "Request a quote", description: "Ask for a quote for the books in your cart." },
  quote: { title: "Your quote", description: "The books, prices and validity of your quote." },
} as const;

export const meta: Route.MetaFunction = ({ matches, params: { quoteId } }) => {
  const page = !quoteId ? "list" : quoteId === NEW ? "request" : "quote";
  const path = quoteId ? `/quotes/${quoteId}` : "/quotes";
  return pageHead(matches, { ...heads[page], path });
};

/** All pages of a customer's quotes are one route, because every page downloads the list of routes. */
export default function Quotes({ params: { quoteId } }: Route.ComponentProps) {
  if (!quoteId) return <QuoteList />;
  return quoteId === NEW ? <QuoteRequest /> : <Quote key={quoteId} quoteId={quoteId} />;
}
