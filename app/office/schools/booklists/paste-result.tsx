import { Button } from "#app/components/button.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type DraftLine, newLine } from "./booklist-draft.ts";
import type { PasteOutcome } from "./pasted-lines.ts";

type PasteResultProps = {
  outcome: PasteOutcome;
  onAdd: (line: DraftLine) => void;
  onChange: (outcome: PasteOutcome) => void;
};

/** What was added, and what needs a decision: choosing between several books, or adding a line as text. */
export function PasteResult({ outcome, onAdd, onChange }: PasteResultProps) {
  const { matched, ambiguous, unknown, repeated } = outcome;
  return (
    <div className="mt-4">
      <p role="status" className="font-semibold">
        {countOf(matched.length, "line")} added, {ambiguous.length} to choose, {unknown.length} not found,{" "}
        {repeated.length} on the list already
      </p>
      {ambiguous.map((line) => (
        <fieldset key={line.place} className="mt-3 border-l-4 border-gold pl-3">
          <legend className="font-semibold wrap-anywhere">
            Line {line.place}: <bdi>{line.text}</bdi> fits several books
          </legend>
          {line.books.map((book) => (
            <Button
              key={book.id}
              variant="quiet"
              className="-ml-4 text-left"
              onClick={() => {
                onAdd(newLine(book, line.copies));
                onChange({ ...outcome, ambiguous: ambiguous.filter((other) => other !== line) });
              }}
            >
              <JoinedTexts
                texts={[book.title, book.edition ?? publisherName(book.publisher), formatCedis(book.price)]}
                separator=", "
              />
            </Button>
          ))}
        </fieldset>
      ))}
      {unknown.length > 0 && (
        <>
          <h3 className="mt-4 font-semibold">Not found</h3>
          <ul>
            {unknown.map((line) => (
              <li key={line.place} className="flex flex-wrap items-center gap-x-3">
                <span className="wrap-anywhere">
                  Line {line.place}: <bdi>{line.text}</bdi>
                </span>
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`Add as text: ${line.text}`}
                  onClick={() => {
                    onAdd(newLine(line.text, line.copies));
                    onChange({ ...outcome, unknown: unknown.filter((other) => other !== line) });
                  }}
                >
                  Add as text
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {repeated.length > 0 && (
        <>
          <h3 className="mt-4 font-semibold">On the list already</h3>
          <ul>
            {repeated.map((line) => (
              <li key={line.place} className="wrap-anywhere">
                Line {line.place}: <bdi>{line.book.title}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
