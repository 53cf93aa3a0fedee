import { useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { Button } from "#app/components/button.tsx";
import { isOffline, storedSince } from "#app/lib/browser/offline.ts";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { registerWorker, reportVisit } from "./report-visit.ts";
import { FALLBACK_PATH } from "./stored.ts";

registerWorker();

function subscribe(listener: () => void): () => void {
  for (const type of ["online", "offline"]) window.addEventListener(type, listener);
  return () => {
    for (const type of ["online", "offline"]) window.removeEventListener(type, listener);
  };
}

/** Shows that there is no connection, and reports visited pages to the service worker. */
export function OfflineArea() {
  useOnLocation(reportVisit);
  const { pathname } = useLocation();
  const offline = useSyncExternalStore(subscribe, isOffline);
  const since = storedSince();
  return (
    <div role="status" data-offline={offline || undefined} className="sticky bottom-0 z-20 print:hidden">
      {/* The fallback page says so itself. */}
      {offline && pathname !== FALLBACK_PATH && (
        <div className="border-t-4 border-gold bg-ink text-white">
          <div className="page flex items-center justify-between gap-4 py-2 text-15">
            {since ? (
              <>
                <p>
                  <strong>We can't reach the shop.</strong> Saved {formatMinute(since)}. Prices may have
                  changed.
                </p>
                <Button variant="on-dark" className="shrink-0" onClick={() => window.location.reload()}>
                  Try Again
                </Button>
              </>
            ) : (
              <p>
                <strong>You're offline.</strong> You can still read pages you've visited.
              </p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
