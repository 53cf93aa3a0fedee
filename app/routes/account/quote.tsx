import { useState } from "react";
import { Link, useLocation } from "react-router";
import { AskDialog } from "#app/components/ask-dialog.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { AcceptQuoteForm } from "#app/features/quotes/accept-quote-form.tsx";
import type { OwnQuote } from "#app/features/quotes/quote.queries.ts";
import { QuoteView } from "#app/features/quotes/quote-view.tsx";
import { quoteCopy, useOwnQuote } from "#app/features/quotes/use-own-quote.ts";
import { useHydrated } from "#app/lib/react/use-hydrated.ts";
import { LinkedQuote } from "./linked-quote.tsx";
import { QuoteSkeleton } from "./quote-skeleton.tsx";

/** The secret of a link to a quote: in the fragment, which browsers send to nobody. */
const readToken = (hash: string) => /^#([0-9a-f]{32})$/.exec(hash)?.[1];

/** One quote, of the reader's account or by a link: the request, or the offer and the decision about it. */
export function Quote({ quoteId }: { quoteId: string }) {
  const token = readToken(useLocation().hash);
  // The server doesn't see the fragment.
  const hydrated = useHydrated();
  return (
    <div className="page max-w-4xl pt-8 pb-16 sm:pt-12 sm:pb-24 print:max-w-none print:p-0">
      <NeedsJavaScript />
      {!hydrated && <QuoteSkeleton />}
      {hydrated && (token ? <LinkedQuote quoteId={quoteId} token={token} /> : <ReadOwn quoteId={quoteId} />)}
    </div>
  );
}

function ReadOwn({ quoteId }: { quoteId: string }) {
  const { status, quote, retry, accept, decline, working, problem } = useOwnQuote(quoteId);
  const canDecide = quote?.status === "sent";
  return (
    <>
      <SavedNote list={quoteCopy(quoteId)} isInPage onTryAgain={retry} className="mb-6" />
      {status === "loading" && <QuoteSkeleton />}
      {status === "failed" && <LoadFailed text="We couldn't load this quote." onTryAgain={retry} />}
      {quote === null && <QuoteNotFound />}
      {quote && (
        <QuoteView key={quote.id} quote={quote} problem={problem}>
          {canDecide && (
            <div className="w-full">
              <AcceptQuoteForm quote={quote} onAccept={(acceptance) => accept(quote, acceptance)} />
            </div>
          )}
          {(canDecide || quote.status === "requested") && (
            <DeclineButton quote={quote} busy={working === "decline"} onDecline={() => void decline(quote)} />
          )}
        </QuoteView>
      )}
    </>
  );
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
      <Button variant="quiet-danger" className="-ml-4" busy={busy} onClick={() => setConfirming(true)}>
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
