import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Icon } from "#app/components/icon.tsx";
import { askLink } from "#app/features/site/contact-links.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { OwnQuote } from "./quote.queries.ts";
import { type QuoteStatus, quoteName } from "./quote.ts";
import { QuoteSheet } from "./quote-sheet.tsx";
import { QuoteStatusBadge } from "./quote-status-badge.tsx";
import { RequestedBooks } from "./requested-books.tsx";

type QuoteViewProps = {
  quote: OwnQuote;
  /** Why the last attempt failed. */
  problem: string | null;
  /** What its reader can do with it. */
  children: ReactNode;
};

/** A quote as its customer reads it, from their account or by a link: the request, or the offer. */
export function QuoteView({ quote, problem, children }: QuoteViewProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
        <h1 className="text-32 sm:text-42">{quoteName(quote)}</h1>
        <QuoteStatusBadge status={quote.status} />
      </div>
      <p className="mt-2 text-17 print:hidden">{nextSteps(quote)}</p>
      {problem && (
        <div className="mt-4 print:hidden">
          <Callout tone="warning" scrollsIntoView>
            {problem}
          </Callout>
        </div>
      )}
      <div className="mt-5 mb-8 flex flex-wrap gap-3 print:hidden">
        {quote.order_id && (
          <Link to={`/order-confirmation/${quote.order_id}`} className={buttonClass()}>
            View Order
          </Link>
        )}
        {quote.sent_at && (
          <Button variant="secondary" onClick={() => window.print()}>
            Print Pro-forma Invoice
          </Button>
        )}
        <a
          href={askLink(`Hello, I have a question about ${nameInSentence(quote)}.`)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ variant: "quiet" })}
        >
          <Icon name="chat" />
          Ask about this quote
        </a>
      </div>
      {quote.sent_at ? <QuoteSheet quote={quote} /> : <RequestedBooks quote={quote} />}
      <div className="mt-10 flex flex-col items-start gap-6 print:hidden">{children}</div>
    </>
  );
}

const nameInSentence = ({ reference }: OwnQuote) => (reference ? `quote ${reference}` : "my quote request");

function nextSteps({ status, valid_until, sent_at }: OwnQuote): string {
  const texts: Record<QuoteStatus, string> = {
    requested: "We're preparing your quote. You'll find it on this page, and we'll call or message you.",
    sent: valid_until
      ? `Check our offer. You can accept it until ${formatDay(valid_until)}.`
      : "Check our offer.",
    accepted: "You've accepted this quote. Thank you for your order.",
    declined: sent_at ? "You declined this quote." : "You cancelled this request.",
    withdrawn: "This quote was withdrawn and can no longer be accepted.",
    expired: "This quote has expired. Ask us for a new one.",
  };
  return texts[status];
}
