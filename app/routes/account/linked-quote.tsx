import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { showToast } from "#app/components/toast.ts";
import { claimQuote, findLinkedQuote } from "#app/features/quotes/quote.queries.ts";
import { QuoteView } from "#app/features/quotes/quote-view.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { useSession } from "#app/features/session/session.ts";
import { historyEntry, rememberPlace } from "#app/features/session/sign-in-return.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { useRedirect } from "#app/lib/react/use-redirect.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { QuoteSkeleton } from "./quote-skeleton.tsx";

const FAILED = "Failed to add the quote to your account";

type LinkedQuoteProps = { quoteId: string; token: string };

/** A quote that its reader has a link to: anyone can read it, and one account takes it over to accept it. */
export function LinkedQuote({ quoteId, token }: LinkedQuoteProps) {
  const session = useSession();
  const navigate = useNavigate();
  const [claiming, setClaiming] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async () => (isUuid(quoteId) ? findLinkedQuote(await getBackend(), quoteId, token) : null);
  const { status, result, retry } = useRead(`${quoteId} ${token}`, read, {
    onFailure: (error) => logFailure("Failed to read the quote", error),
  });
  const own = `/quotes/${quoteId}`;
  // An account has it by now, perhaps this one.
  const isGone = status === "ready" && result === null;
  useRedirect(isGone && session.status === "signed-in" ? own : null);

  async function claim() {
    setClaiming(true);
    setProblem(null);
    try {
      requireConnection();
      await claimQuote(await getBackend(), quoteId, token);
      await navigate(own, { replace: true });
    } catch (error) {
      logFailure(FAILED, error);
      const reason = customerMessage(error);
      showToast("error", FAILED, { description: reason ?? undefined });
      setProblem(reason ?? `${FAILED}. Please try again.`);
      setClaiming(false);
      retry();
    }
  }

  if (status === "failed") return <LoadFailed text="We couldn't load this quote." onTryAgain={retry} />;
  if (isGone && session.status === "signed-out") return <DeadLink />;
  if (!result) return <QuoteSkeleton />;
  return (
    <QuoteView quote={result} problem={problem}>
      {result.status === "sent" && (
        <section aria-labelledby="accept-quote">
          <h2 id="accept-quote" className="text-25">
            Accept this quote
          </h2>
          {session.status === "signed-in" ? (
            <>
              <p className="measure mt-1 text-15 text-muted">
                You're signed in as <span className="wrap-anywhere">{session.user.email}</span>. Add the quote
                to this account first: there you check the delivery and place the order. Its link then no
                longer works.
              </p>
              <Button size="large" className="mt-5" busy={claiming} onClick={() => void claim()}>
                Add to This Account
              </Button>
            </>
          ) : (
            <>
              <p className="measure mt-1 text-15 text-muted">
                To place the order and follow it, you need an account. If you don't have one yet, create one;
                you'll need to open this link again afterwards.
              </p>
              <Link
                to="/auth"
                className={buttonClass({ size: "large", className: "mt-5" })}
                onClick={() => rememberPlace(`${own}#${token}`, historyEntry())}
              >
                Sign In to Accept
              </Link>
            </>
          )}
        </section>
      )}
    </QuoteView>
  );
}

function DeadLink() {
  return (
    <div className="flex flex-col items-start gap-5">
      <h1 className="text-32 sm:text-42">This Link No Longer Works</h1>
      <p className="measure">
        If you've added the quote to your account, sign in to find it under My Quotes. Otherwise ask us for a
        new link.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to="/auth" className={buttonClass()}>
          Sign In
        </Link>
        <Link to="/contact" className={buttonClass({ variant: "secondary" })}>
          Contact Us
        </Link>
      </div>
    </div>
  );
}
