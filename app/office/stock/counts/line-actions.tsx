import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { type CountLine, markNoneFound, recountStock } from "./count.admin-queries.ts";

type LineActionsProps = { countId: string; line: CountLine; onChoose: (bookId: string) => void };

/** What can be done with one book of an open count. */
export function LineActions({ countId, line, onChoose }: LineActionsProps) {
  const [asked, setAsked] = useState<"none" | "again" | null>(null);
  const none = useAdminMutation({
    run: (client, bookId: string) => markNoneFound(client, countId, bookId),
    success: () => null,
    failure: "Failed to mark the book",
  });
  const again = useAdminMutation({
    run: (client, chosen: CountLine) => recountStock(client, countId, chosen),
    success: () => ({ title: "Ready to be counted again", description: "Ideally by somebody else." }),
    failure: "Failed to reset the book's count",
  });
  const isCounted = line.counted !== null;
  const title = line.title ?? "this book";
  return (
    <div className="flex flex-wrap gap-1 @4xl:flex-nowrap @4xl:whitespace-nowrap">
      <Button
        variant="quiet"
        size="small"
        aria-label={`Count ${title}`}
        onClick={() => {
          onChoose(line.book_id);
          document.getElementById("content")?.scrollIntoView();
        }}
      >
        Count
      </Button>
      {isCounted ? (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Count again: ${title}`}
          busy={again.isPending}
          onClick={() => setAsked("again")}
        >
          Count Again
        </Button>
      ) : (
        <Button
          variant="quiet"
          size="small"
          aria-label={`None found of ${title}`}
          busy={none.isPending}
          onClick={() => setAsked("none")}
        >
          None Found
        </Button>
      )}
      <ConfirmDialog
        open={asked === "none"}
        question="Mark this book as none found?"
        confirmLabel="None Found"
        onConfirm={() => none.mutate(line.book_id)}
        onClose={() => setAsked(null)}
      >
        <p className="wrap-anywhere">{title} will count as 0 copies.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "again"}
        question="Count this book again?"
        confirmLabel="Count Again"
        variant="primary"
        onConfirm={() => again.mutate(line)}
        onClose={() => setAsked(null)}
      >
        <p className="wrap-anywhere">
          Everyone's count of {title} is reset. Ideally, somebody else counts it now.
        </p>
      </ConfirmDialog>
    </div>
  );
}
