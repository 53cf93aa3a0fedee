import type { KeyboardEvent } from "react";
import { type DraftLine, withLineMoved, withNewerEdition } from "./booklist-draft.ts";
import { LineRow } from "./line-row.tsx";
import type { BooklistEditorState } from "./use-booklist-editor.ts";

/** The list's lines in order. Alt with the arrow keys moves the focused line. */
export function LineList({ editor: { draft, problems, changeLines } }: { editor: BooklistEditorState }) {
  const { lines } = draft;
  if (lines.length === 0) return <p className="py-8 text-center text-muted">No books on this list yet</p>;

  const changeLine = (key: string, change: (line: DraftLine) => DraftLine) =>
    changeLines((now) => now.map((line) => (line.key === key ? change(line) : line)));

  function press(event: KeyboardEvent, key: string) {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    changeLines((now) => withLineMoved(now, key, event.key === "ArrowUp" ? -1 : 1));
  }
  return (
    <ol aria-label="Lines of the booklist" className="border-t border-line">
      {lines.map((line, at) => (
        <li
          key={line.key}
          className="border-b border-line py-3"
          onKeyDown={(event) => press(event, line.key)}
        >
          <LineRow
            line={line}
            place={at + 1}
            isFirst={at === 0}
            isLast={at === lines.length - 1}
            copiesProblem={problems.copies.has(line.key)}
            onChange={(changes) => changeLine(line.key, (now) => ({ ...now, ...changes }))}
            onMove={(step) => changeLines((now) => withLineMoved(now, line.key, step))}
            onRemove={() => changeLines((now) => now.filter(({ key }) => key !== line.key))}
            onUseNewer={() => changeLine(line.key, withNewerEdition)}
          />
        </li>
      ))}
    </ol>
  );
}
