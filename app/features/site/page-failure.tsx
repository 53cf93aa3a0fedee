import { useEffect } from "react";
import { useLocation } from "react-router";
import { ErrorScreen } from "#app/components/error-screen.tsx";
import { FailureBlock } from "#app/components/failure-block.tsx";
import { CATALOGUE_UNREACHABLE, failedToLoadBooks } from "#app/features/books/books-failure.ts";
import { LOST_AGAIN_MS, lostResource } from "#app/lib/backend/lost-connection.ts";
import { wait } from "#app/lib/backend/wait.ts";

/** Pages whose error message is about books. */
const withBooks = /^\/(shop|search|products\/.+)$/;

/** Shown instead of a page that failed: Try Again after a lost connection, otherwise an apology. */
export function PageFailure({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const href = pathname + search;
  const lost = lostResource(error);
  useEffect(() => {
    // Missing code of a reachable shop is from an older release: a reload fetches the new one.
    if (lost === "code") void reloadOnceReachable(href);
  }, [lost, href]);
  if (!lost) return <ErrorScreen />;
  const text = withBooks.test(pathname)
    ? failedToLoadBooks(CATALOGUE_UNREACHABLE)
    : "We can't reach the shop right now. Nothing in your cart is lost.";
  return (
    <div className="page pt-8 pb-16 sm:pt-12">
      <h1 className="mb-6 text-32 sm:text-42">This page hasn't loaded</h1>
      <FailureBlock
        text={text}
        tryAgainHref={href}
        onTryAgain={lost === "code" ? () => void reloadOnceReachable(href) : undefined}
      />
    </div>
  );
}

/**
 * Reloads the page once the shop is reachable, if that is within a few seconds: without a connection a reload would show
 * the browser's own error page. A customer who has since opened another page stays there.
 */
async function reloadOnceReachable(href: string): Promise<void> {
  for (const waitMs of navigator.onLine ? [0, ...LOST_AGAIN_MS] : [0]) {
    await wait(waitMs);
    const isReachable = await fetch("/healthz", { cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (window.location.pathname + window.location.search !== href) return;
    if (isReachable) return window.location.replace(href);
  }
}
