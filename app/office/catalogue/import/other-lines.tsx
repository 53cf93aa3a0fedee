import { SelectField } from "#app/components/field.tsx";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import {
  type ListChoices,
  type ListPlan,
  type OtherLine,
  SECTION_FIELDS,
  type SectionField,
} from "#app/office/catalogue/book-import/list-plan.ts";
import { countOf } from "#shared/text/count-of.ts";

/** What to do with lines that aren't books, or may not be; null means not decided. */
export type LineChoices = {
  takesUnsure: ListChoices["takesUnsure"] | null;
  sectionField: SectionField | null;
};

type OtherLinesProps = {
  plan: ListPlan;
  choices: LineChoices;
  disabled: boolean;
  onChange: (choices: LineChoices) => void;
};

/** The lines of a list that are sums, headings and notes: left out, asked about, or used for the books below. */
export function OtherLines({ plan, choices, disabled, onChange }: OtherLinesProps) {
  const { others, sureCount, unsureCount } = plan;
  const { takesUnsure } = choices;
  const taken = typeof takesUnsure === "object" ? takesUnsure : null;
  const sections = [...plan.sections];
  if (sureCount + unsureCount === 0) return null;
  return (
    <section aria-labelledby="other-lines" className="max-w-3xl">
      <h2 id="other-lines" className="text-20">
        Lines to leave out
      </h2>
      {sureCount > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer py-1">{notBooksWords(sureCount)}</summary>
          <Lines label="Lines left out" lines={others.filter(({ isSure }) => isSure)} count={sureCount} />
        </details>
      )}
      {unsureCount > 0 && (
        <>
          <p className="mt-2">{countOf(unsureCount, "line")} may not belong in the shop.</p>
          <SelectField
            label="What should happen to them?"
            className="mt-3 max-w-sm"
            value={taken ? "each" : takesUnsure === null ? "" : takesUnsure ? "books" : "others"}
            disabled={disabled}
            onChange={({ target }) =>
              onChange({
                ...choices,
                takesUnsure: target.value === "each" ? new Set() : target.value === "books",
              })
            }
          >
            {takesUnsure === null && <option value="">Choose…</option>}
            <option value="others">Leave them out</option>
            <option value="books">Import them as books</option>
            <option value="each">Choose line by line</option>
          </SelectField>
          <Lines
            label="Lines that may not belong in the shop"
            lines={others.filter(({ isSure }) => !isSure)}
            count={unsureCount}
            {...(taken && {
              taken,
              disabled,
              onTake: (line) => onChange({ ...choices, takesUnsure: toggled(taken, line) }),
            })}
          />
        </>
      )}
      {sections.length > 0 && (
        <SelectField
          label="Headings above books"
          hint={`Such as ${sections.slice(0, 3).join(", ")}. They can fill an empty field of the books below them.`}
          className="mt-3 max-w-sm"
          value={choices.sectionField ?? ""}
          disabled={disabled}
          onChange={({ target }) =>
            onChange({
              ...choices,
              sectionField: SECTION_FIELDS.find((name) => name === target.value) ?? null,
            })
          }
        >
          <option value="">Leave out</option>
          {SECTION_FIELDS.map((name) => (
            <option key={name} value={name}>
              {bookFieldLabel(name)}
            </option>
          ))}
        </SelectField>
      )}
    </section>
  );
}

/** '1 line is left out: not a book to sell' */
export const notBooksWords = (count: number) =>
  `${countOf(count, "line")} ${count === 1 ? "is left out: not a book" : "are left out: not books"} to sell`;

function toggled(lines: ReadonlySet<number>, line: number): Set<number> {
  const others = new Set(lines);
  if (!others.delete(line)) others.add(line);
  return others;
}

type LinesProps = { label: string; lines: readonly OtherLine[]; count: number } & Partial<LineBoxes>;

/** Those that are imported as books, where each is chosen. */
type LineBoxes = { taken: ReadonlySet<number>; disabled: boolean; onTake: (line: number) => void };

function Lines({ label, lines, count, taken, disabled, onTake }: LinesProps) {
  return (
    <>
      <ul aria-label={label} className="mt-1 border-t border-line">
        {lines.map(({ line, text, reason }) => (
          <li key={line} className="border-b border-line py-2">
            <p className="wrap-anywhere">{text}</p>
            <p className="text-13 text-muted">
              Line {line.toLocaleString("en-GB")}: {reason}
            </p>
            {taken && (
              <label className="mt-1 flex min-h-6 w-fit items-center gap-2">
                <input
                  type="checkbox"
                  className="size-5 accent-green"
                  checked={taken.has(line)}
                  disabled={disabled}
                  onChange={() => onTake?.(line)}
                />
                <span>
                  Import as a book<span className="sr-only"> {text}</span>
                </span>
              </label>
            )}
          </li>
        ))}
      </ul>
      {count > lines.length && (
        <p className="mt-1 text-muted">
          and {countOf(count - lines.length, "more line")}
          {taken && ", which are left out"}
        </p>
      )}
    </>
  );
}
