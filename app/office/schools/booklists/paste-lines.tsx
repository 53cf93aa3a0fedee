import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { MAX_MATCHED_LINES } from "#app/features/booklists/booklist.ts";
import { matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { hasKept, useKeptForm } from "#app/office/frame/use-kept.ts";
import { countOf } from "#shared/text/count-of.ts";
import { type DraftLine, newLine, roomProblem } from "./booklist-draft.ts";
import { PasteResult } from "./paste-result.tsx";
import { type PastedLine, type PasteOutcome, readPastedLines, sortPaste } from "./pasted-lines.ts";

type PasteLinesProps = {
  /** The booklist, or `new`. */
  listId: string;
  lines: readonly DraftLine[];
  onAdd: (lines: DraftLine[]) => void;
};

/** Adds ISBNs and quantities pasted from a spreadsheet, and shows lines that did not match or appear twice. */
export function PasteLines({ listId, lines, onAdd }: PasteLinesProps) {
  const name = `booklist paste ${listId}`;
  const [isOpen, setIsOpen] = useState(() => hasKept(name));
  const [outcome, setOutcome] = useState<PasteOutcome | null>(null);

  /** Adds all of them, or none, with the reason. */
  function add(added: DraftLine[]): boolean {
    const problem = roomProblem(lines, added.length);
    if (problem) showToast("error", problem);
    else onAdd(added);
    return problem === null;
  }
  const match = useAdminMutation({
    run: (client, sent: PastedLine[]) =>
      matchBookLines(
        client,
        sent.map((line) => line.text),
      ),
    success: () => null,
    failure: "Failed to match the lines",
    failureWithReason: true,
    onSuccess: (matches, sent) => {
      const sorted = sortPaste(sent, matches, lines);
      if (!add(sorted.matched.map(({ book, copies }) => newLine(book, copies)))) return;
      setOutcome(sorted);
      change("lines", "");
    },
  });
  const { values, change, field, formProps, kept } = useKeptForm({
    kept: name,
    fields: { lines: "" },
    send: () => pasted.length > 0 && !tooMany && !match.isPending && match.mutate(pasted),
  });
  const pasted = readPastedLines(values.lines);
  const tooMany = pasted.length > MAX_MATCHED_LINES;

  return (
    <div className="mt-3 mb-4">
      <Button variant="secondary" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Paste a column of ISBNs
      </Button>
      {isOpen && (
        <form {...formProps} className="mt-3 rounded-card border border-line p-4">
          <KeptNote kept={kept} />
          <TextareaField
            label="ISBNs or titles, one on each line"
            hint="After each, copies per pupil if more than one: copy both columns from a spreadsheet, or use a comma."
            rows={6}
            autoFocus
            spellCheck={false}
            {...field("lines")}
            error={tooMany ? `Paste up to ${MAX_MATCHED_LINES} lines at a time.` : null}
          />
          <Button type="submit" className="mt-3" busy={match.isPending} disabled={pasted.length === 0}>
            {pasted.length === 0 ? "Add lines" : `Add ${countOf(pasted.length, "line")}`}
          </Button>
          {outcome && <PasteResult outcome={outcome} onAdd={(line) => add([line])} onChange={setOutcome} />}
        </form>
      )}
    </div>
  );
}
