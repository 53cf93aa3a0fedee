import { useState } from "react";
import type { FieldChange } from "./activity.ts";

/** Fields of a new or deleted row that stand there without a press. */
const SHORT_LIST = 4;
/** Characters of a value that stand there without a press. */
const SHORT_VALUE = 120;

type ChangeListProps = {
  changes: FieldChange[];
  /** Fields went from one value to another; otherwise a row came or went, and each field has one value. */
  compares: boolean;
  /** What the entry is about, for the button's name. */
  subject: string;
};

/** Field by field what changed, in a line each; a long list or text is shown whole by a press. */
export function ChangeList({ changes, compares, subject }: ChangeListProps) {
  const [whole, setWhole] = useState(false);
  if (changes.length === 0) return <span className="text-muted">No visible field</span>;
  const shown = whole || compares ? changes : changes.slice(0, SHORT_LIST);
  const cut = (value: string) => (whole ? value : cutShort(value));
  const isCut =
    changes.length > (compares ? Infinity : SHORT_LIST) ||
    changes.some(({ before, after }) => [before, after].some((value) => value && cutShort(value) !== value));
  return (
    <div className="min-w-0">
      <dl className="flex flex-col gap-0.5">
        {shown.map(({ name, before, after }) => (
          <div key={name} className="break-words">
            <dt className="inline text-muted">{name}: </dt>
            <dd className="inline whitespace-pre-line">
              {compares ? (
                <>
                  <span className="sr-only">from </span>
                  <Value text={before && cut(before)} />
                  <span aria-hidden="true"> → </span>
                  <span className="sr-only"> to </span>
                  <strong className="font-semibold">
                    <Value text={after && cut(after)} />
                  </strong>
                </>
              ) : (
                <Value text={cut(after ?? before ?? "")} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {isCut && (
        <button
          type="button"
          className="min-h-11 font-semibold text-green underline @4xl:min-h-6"
          aria-expanded={whole}
          aria-label={`${whole ? "Show less" : "Show all"} of ${subject}`}
          onClick={() => setWhole(!whole)}
        >
          {whole ? "Show less" : "Show all"}
        </button>
      )}
    </div>
  );
}

function Value({ text }: { text: string | null }) {
  return text === null ? <span className="text-muted">empty</span> : <bdi>{text}</bdi>;
}

function cutShort(value: string): string {
  const characters = [...value];
  return characters.length <= SHORT_VALUE ? value : `${characters.slice(0, SHORT_VALUE - 1).join("")}…`;
}
