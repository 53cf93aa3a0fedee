import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { MAX_MATCHED_LINES } from "#app/features/booklists/booklist.ts";
import { matchBookLines } from "#app/features/booklists/booklists.queries.ts";
import { countOf } from "#app/lib/count-of.ts";
import { type DraftLine, newLine, roomProblem } from "./booklist-draft.ts";
import { PasteResult } from "./paste-result.tsx";
import { type PasteOutcome, readPastedLines, sortPaste } from "./pasted-lines.ts";

type PasteLinesProps = { lines: readonly DraftLine[]; onAdd: (lines: DraftLine[]) => void };

/** Adds ISBNs and quantities pasted from a spreadsheet, and shows lines that did not match or appear twice. */
export function PasteLines({ lines, onAdd }: PasteLinesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<PasteOutcome | null>(null);
  const pasted = readPastedLines(text);
  const tooMany = pasted.length > MAX_MATCHED_LINES;

  /** Adds all of them, or none, with the reason. */
  function add(added: DraftLine[]): boolean {
    const problem = roomProblem(lines, added.length);
    if (problem) showToast("error", problem);
    else onAdd(added);
    return problem === null;
  }
  const match = useAdminMutation({
    run: (client, sent: typeof pasted) =>
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
      setText("");
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (pasted.length > 0 && !tooMany && !match.isPending) match.mutate(pasted);
  }

  return (
    <div className="mt-3 mb-4">
      <Button variant="secondary" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Paste a column of ISBNs
      </Button>
      {isOpen && (
        <form onSubmit={submit} className="mt-3 rounded-card border border-line p-4">
          <TextareaField
            label="ISBNs or titles, one on each line"
            hint="After each, copies per pupil if more than one: copy both columns from a spreadsheet, or use a comma."
            error={tooMany ? `Paste up to ${MAX_MATCHED_LINES} lines at a time.` : null}
            rows={6}
            autoFocus
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
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
