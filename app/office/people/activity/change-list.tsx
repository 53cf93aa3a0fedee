import { useState } from "react";
import { ShowAllButton } from "#app/office/components/show-all-button.tsx";
import type { FieldChange } from "./activity.ts";

/** Fields of a new or deleted row shown before Show all. */
const SHORT_LIST = 4;
/** Characters of a value shown before Show all. */
const SHORT_VALUE = 120;

type ChangeListProps = {
  changes: FieldChange[];
  /** Whether each field has a value before and after; otherwise the row was added or deleted, and each has one value. */
  compares: boolean;
  /** The entry's subject, for the button's label. */
  subject: string;
};

/** What changed, one field per line; Show all expands a long list or text. */
export function ChangeList({ changes, compares, subject }: ChangeListProps) {
  const [whole, setWhole] = useState(false);
  if (changes.length === 0) return <span className="text-muted">No visible fields</span>;
  const shown = whole || compares ? changes : changes.slice(0, SHORT_LIST);
  const cut = (value: string) => (whole ? value : cutShort(value));
  const isCut =
    changes.length > (compares ? Infinity : SHORT_LIST) ||
    changes.some(({ before, after }) => [before, after].some((value) => value && cutShort(value) !== value));
  return (
    <div className="min-w-0">
      <dl className="flex flex-col gap-0.5">
        {shown.map(({ name, before, after }) => (
          <div key={name} className="wrap-anywhere">
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
      {isCut && <ShowAllButton whole={whole} onChange={setWhole} subject={subject} />}
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
