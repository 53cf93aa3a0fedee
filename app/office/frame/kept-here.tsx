import { useEffect, useReducer, useState } from "react";
import { Link, useLocation } from "react-router";
import { Button } from "#app/components/button.tsx";
import { useSessionUser } from "#app/features/session/session.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { KeptNoteBox, timeOf } from "./kept-note.tsx";
import {
  beginningOf,
  findClosedText,
  forgetOldTexts,
  forgetText,
  leavePage,
  openForms,
} from "./kept-text.ts";

/** A page that is still being read may open the form itself. */
const PAUSE_MS = 1_500;

/**
 * Says that a text was left on this page, whose form isn't open, as dialogs aren't after a reload or signing in again.
 * It may be saved, if only the response was lost.
 */
export function KeptHere() {
  const user = useSessionUser();
  const { pathname, search } = useLocation();
  const page = pathname + search;
  useEffect(() => () => leavePage(page), [page]);
  const open = useStore(openForms);
  const [, showAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (user) forgetOldTexts(user.id, Date.now());
  }, [user]);
  const [calmSince, setCalmSince] = useState<unknown>(null);
  useEffect(() => {
    const timer = setTimeout(() => setCalmSince(open), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [open]);
  const left = user && calmSince === open && findClosedText(user.id, pathname, Date.now(), open);
  if (!left) return null;
  const words = beginningOf(left);
  return (
    <KeptNoteBox
      className="mx-4 mt-4 sm:mx-6 print:hidden"
      action={
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            forgetText(left.key);
            showAgain();
          }}
        >
          Discard
        </Button>
      }
    >
      You left a form unfinished here at <span className="figures">{timeOf(left.at)}</span>
      {words && (
        <>
          : ‘<bdi>{words}</bdi>’
        </>
      )}
      . Check whether it was saved, or{" "}
      {left.page === page ? (
        "open the form again to continue"
      ) : (
        <Link to={left.page} className="-my-2.5 inline-block py-2.5 font-semibold text-green underline">
          go there to continue
        </Link>
      )}
      .
    </KeptNoteBox>
  );
}
