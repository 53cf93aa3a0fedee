import { countOthers } from "#app/office/catalogue/book-import/import-notes.ts";
import type { NoteList } from "#app/office/catalogue/book-import/import-records.ts";
import { countOf } from "#shared/text/count-of.ts";

/** A list of notes about rows that opens by a click. */
export function NoteDetails({ title, suffix, notes }: { title: string; suffix: string; notes: NoteList }) {
  if (notes.count === 0) return null;
  const others = countOthers(notes);
  return (
    <details className="max-w-3xl rounded-card border border-line px-4">
      <summary className="min-h-11 cursor-pointer py-2.5">
        <span className="font-semibold">{title}</span> {suffix}
      </summary>
      <ul className="max-h-80 overflow-y-auto pb-3">
        {notes.first.map(({ line, message, rows }) => (
          <li key={`${line} ${message}`} className="wrap-anywhere">
            <span className="figures text-muted">
              Line {line.toLocaleString("en-GB")}
              {rows > 1 && ` and ${countOf(rows - 1, "more row", "more rows")}`}:
            </span>{" "}
            {message}
          </li>
        ))}
        {others > 0 && <li className="text-muted">and {others.toLocaleString("en-GB")} more</li>}
      </ul>
    </details>
  );
}
