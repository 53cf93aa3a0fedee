import { Link } from "react-router";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { OwnQuoteSummary } from "./quote.queries.ts";
import { quoteName } from "./quote.ts";
import { QuoteStatusBadge } from "./quote-status-badge.tsx";

/** A quote in its customer's list. */
export function QuoteRow({ quote }: { quote: OwnQuoteSummary }) {
  return (
    <li className="border-b border-line">
      <Link
        to={`/quotes/${quote.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-4 hover:bg-tint sm:-mx-3 sm:grid-cols-[minmax(0,1fr)_8rem_8rem_8rem] sm:px-3"
      >
        <span className="min-w-0">
          <span className="figures block font-semibold underline">{quoteName(quote)}</span>
          <span className="block text-13 wrap-anywhere text-muted">
            <bdi>{quote.institution}</bdi> · {quote.copies} {quote.copies === 1 ? "copy" : "copies"}
          </span>
        </span>
        <span className="text-15 text-muted max-sm:row-start-2">{formatDay(quote.created_at)}</span>
        <span className="justify-self-end">
          <QuoteStatusBadge status={quote.status} />
        </span>
        <span className="figures text-right font-semibold max-sm:row-start-2">
          {quote.total === null ? "" : formatCedis(quote.total)}
        </span>
      </Link>
    </li>
  );
}
