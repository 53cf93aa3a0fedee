import { Button } from "#app/components/button.tsx";
import { storedSince } from "#app/lib/browser/offline.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { shownCopies } from "./saved-copy.ts";

type SavedNoteProps = {
  list: string;
  onTryAgain: () => void;
  /** False in a dialog, which covers the page's banner. */
  isInPage?: boolean;
  className?: string;
};

/** Says that this is a saved copy, and from when. */
export function SavedNote({ list, onTryAgain, isInPage = false, className = "" }: SavedNoteProps) {
  const since = useStore(shownCopies, (copies) => copies[list]);
  // The page's own banner says why, and has the button.
  const isExplained = since && isInPage && storedSince();
  return (
    <div role="status" className={since ? className : "hidden"}>
      {since && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-card bg-gold-tint px-3 py-2 text-15">
          {isExplained ? (
            <p>Saved {formatMinute(since)}. It may have changed since.</p>
          ) : (
            <>
              <p>
                <strong>We can't reach the shop.</strong> Saved {formatMinute(since)}.
              </p>
              <Button variant="secondary" size="small" onClick={onTryAgain}>
                Try Again
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}
