import { useState } from "react";
import { Link } from "react-router";
import { AskDialog } from "#app/components/ask-dialog.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Icon } from "#app/components/icon.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { AcceptQuoteForm } from "#app/features/quotes/accept-quote-form.tsx";
import type { Acceptance, OwnQuote } from "#app/features/quotes/quote.queries.ts";
import { type QuoteStatus, quoteName } from "#app/features/quotes/quote.ts";
import { QuoteSheet } from "#app/features/quotes/quote-sheet.tsx";
import { QuoteStatusBadge } from "#app/features/quotes/quote-status-badge.tsx";
import { RequestedBooks } from "#app/features/quotes/requested-books.tsx";
import { quoteCopy, useOwnQuote } from "#app/features/quotes/use-own-quote.ts";
import { askLink } from "#app/features/site/contact-links.ts";
import { formatDay } from "#shared/text/dates.ts";

/** One quote: the request, or the offer and the decision about it. */
export function Quote({ quoteId }: { quoteId: string }) {
  const { status, quote, retry, ...work } = useOwnQuote(quoteId);
  return (
    <div className="page max-w-4xl pt-8 pb-16 sm:pt-12 sm:pb-24 print:max-w-none print:p-0">
      <NeedsJavaScript />
      <SavedNote list={quoteCopy(quoteId)} isInPage onTryAgain={retry} className="mb-6" />
      {status === "loading" && <QuoteSkeleton />}
      {status === "failed" && <LoadFailed text="We couldn't load this quote." onTryAgain={retry} />}
      {quote === null && <QuoteNotFound />}
      {quote && <ReadQuote key={quote.id} quote={quote} {...work} />}
    </div>
  );
}

type Work = {
  quote: OwnQuote;
  accept: (quote: OwnQuote, acceptance: Acceptance) => Promise<void>;
  decline: (quote: OwnQuote) => Promise<void>;
  working: "accept" | "decline" | null;
  problem: string | null;
};

function ReadQuote({ quote, accept, decline, working, problem }: Work) {
  const canDecide = quote.status === "sent";
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
      <div className="mt-10 flex flex-col items-start gap-6 print:hidden">
        {canDecide && (
          <div className="w-full">
            <AcceptQuoteForm quote={quote} onAccept={(acceptance) => accept(quote, acceptance)} />
          </div>
        )}
        {(canDecide || quote.status === "requested") && (
          <DeclineButton quote={quote} busy={working === "decline"} onDecline={() => void decline(quote)} />
        )}
      </div>
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

function DeclineButton({
  quote,
  busy,
  onDecline,
}: {
  quote: OwnQuote;
  busy: boolean;
  onDecline: () => void;
}) {
  const [confirming, setConfirming] = useState(false);
  const isOffer = quote.status === "sent";
  return (
    <>
      <Button variant="quietDanger" className="-ml-4" busy={busy} onClick={() => setConfirming(true)}>
        {isOffer ? "Decline Quote" : "Cancel Request"}
      </Button>
      <AskDialog
        open={confirming}
        question={isOffer ? "Decline this quote?" : "Cancel this request?"}
        yes={isOffer ? "Yes, decline it" : "Yes, cancel it"}
        no="Keep it"
        onYes={onDecline}
        onClose={() => setConfirming(false)}
      >
        <p>
          {isOffer
            ? "You can't accept it afterwards. Tell us if you'd like a different offer."
            : "We'll stop preparing a quote for these books."}
        </p>
      </AskDialog>
    </>
  );
}

function QuoteNotFound() {
  return (
    <div className="flex flex-col items-start gap-5">
      <h1 className="text-32 sm:text-42">Quote Not Found</h1>
      <p className="measure">We couldn't find the quote you're looking for.</p>
      <Link to="/quotes" className={buttonClass()}>
        My Quotes
      </Link>
    </div>
  );
}

/** As tall as the window, like most quotes, so that the footer does not move into view and down again. */
function QuoteSkeleton() {
  return (
    <div aria-busy="true" className="flex min-h-dvh flex-col gap-5">
      <h1 className="sr-only">Your quote</h1>
      <Skeleton className="h-11 w-80 max-w-full" />
      <Skeleton className="h-96" />
    </div>
  );
}
