import { type ReactNode, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { bookCount, type Count, discardCount, markNoneFound, recountStock } from "./count.admin-queries.ts";
import { differencesText } from "./count-texts.ts";

type Question = "apply" | "none" | "again" | "discard";

/** What ends a count, and what is done with many of its books at once. */
export function CountActions({ count, unsent }: { count: Count; unsent: number }) {
  const [asked, setAsked] = useState<Question | null>(null);
  const { id, differences, again } = count;
  const left = count.books - count.counted;
  const apply = useAdminMutation({
    run: (client, shown: number) => bookCount(client, id, shown),
    success: (changed) => ({ title: `Count booked: the stock of ${countOf(changed, "book")} has changed` }),
    failure: "Failed to book the count",
    long: true,
  });
  const none = useAdminMutation({
    run: (client) => markNoneFound(client, id),
    success: (marked) => ({ title: `${countOf(marked, "book")} marked as none found` }),
    failure: "Failed to mark the books",
    long: true,
  });
  const recount = useAdminMutation({
    run: (client) => recountStock(client, id),
    success: (cleared) => ({ title: `${countOf(cleared, "book")} to be counted again` }),
    failure: "Failed to reset the count",
  });
  const discard = useAdminMutation({
    run: (client) => discardCount(client, id),
    success: () => ({ title: "Count discarded", description: "No stock has changed." }),
    failure: "Failed to discard the count",
  });
  const questions: Record<Question, { question: string; yes: string; text: ReactNode; onYes: () => void }> = {
    apply: {
      question: differences === 0 ? "Close this count?" : "Apply the differences?",
      yes: differences === 0 ? "Close" : "Apply",
      text: (
        <>
          <p>Differences: {differencesText(count)}. What was sold since each scan stays sold.</p>
          {left > 0 && (
            <p className="mt-2">
              {countOf(left, "book was", "books were")} not counted and keep their stock.
            </p>
          )}
        </>
      ),
      onYes: () => apply.mutate(differences),
    },
    none: {
      question: "Mark these books as none found?",
      yes: "None Found",
      text: (
        <p>
          Every book of the scope that no one has scanned, {countOf(left, "book")}, will count as 0 copies.
        </p>
      ),
      onYes: () => none.mutate(undefined),
    },
    again: {
      question: "Count these books again?",
      yes: "Count Again",
      text: (
        <p>
          The counts of all books that differ by more than {countOf(count.again_above, "copy", "copies")} are
          reset. Ideally, somebody else counts them now.
        </p>
      ),
      onYes: () => recount.mutate(undefined),
    },
    discard: {
      question: "Discard this count?",
      yes: "Discard",
      text: <p>It is closed without changing any stock, and stays in the list.</p>,
      onYes: () => discard.mutate(undefined),
    },
  };
  const shown = asked && questions[asked];
  return (
    <div>
      <div className="flex flex-wrap gap-3">
        <Button
          busy={apply.isPending}
          disabled={again > 0 || unsent > 0 || count.counted + count.outside === 0}
          onClick={() => setAsked("apply")}
        >
          {differences === 0 ? "Close without Differences" : `Apply ${countOf(differences, "difference")}`}
        </Button>
        {again > 0 && (
          <Button variant="secondary" busy={recount.isPending} onClick={() => setAsked("again")}>
            Recount Large Differences
          </Button>
        )}
        {left > 0 && (
          <Button variant="secondary" busy={none.isPending} onClick={() => setAsked("none")}>
            Mark Others as None Found
          </Button>
        )}
        <Button variant="quiet-danger" busy={discard.isPending} onClick={() => setAsked("discard")}>
          Discard
        </Button>
      </div>
      {again > 0 && (
        <p className="mt-2 text-muted">
          {countOf(again, "book has", "books have")} to be counted again before the differences can be
          applied.
        </p>
      )}
      <ConfirmDialog
        open={shown !== null}
        question={shown?.question ?? ""}
        confirmLabel={shown?.yes ?? ""}
        variant={asked === "apply" || asked === "again" ? "primary" : "danger"}
        onConfirm={() => shown?.onYes()}
        onClose={() => setAsked(null)}
      >
        {shown?.text}
      </ConfirmDialog>
    </div>
  );
}
