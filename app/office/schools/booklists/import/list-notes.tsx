import { type ReactNode, useState } from "react";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { ShowAllButton } from "#app/office/components/show-all-button.tsx";
import { countOf } from "#shared/text/count-of.ts";
import type { LineChange, ListPlan } from "./list-plan.ts";

/** Notes shown before Show all. */
const SHORT = 4;

type Note = { key: string; note: ReactNode };

/** Why a list is left out, or what happens to its lines. */
export function ListNotes({ plan }: { plan: ListPlan }) {
  const [whole, setWhole] = useState(false);
  const notes = notesOf(plan);
  if (notes.length === 0) return <span className="text-muted">–</span>;
  return (
    <div className="min-w-0">
      <ul className={`flex flex-col gap-0.5 ${plan.action === "refused" ? "text-clay" : ""}`}>
        {(whole ? notes : notes.slice(0, SHORT)).map(({ key, note }) => (
          <li key={key} className="wrap-anywhere">
            {note}
          </li>
        ))}
      </ul>
      {notes.length > SHORT && (
        <ShowAllButton
          whole={whole}
          onChange={setWhole}
          subject={`${plan.list.school}, ${plan.list.class_name}`}
        />
      )}
    </div>
  );
}

function notesOf({ action, changes, inWords, problems }: ListPlan): Note[] {
  if (action === "refused")
    return problems.map(({ line, message }) => ({
      key: `${line} ${message}`,
      note: line === null ? message : `Line ${line}: ${message}`,
    }));
  const words =
    inWords.length > 0
      ? [{ key: "words", note: <>Not sold here: {<JoinedTexts texts={inWords} separator=", " />}</> }]
      : [];
  if (action === "add") return [{ key: "lines", note: countOf(changes.length, "line") }, ...words];
  if (action === "update" && changes.length === 0)
    return [{ key: "order", note: "The lines are in another order." }, ...words];
  return [...changes.map((change, at) => ({ key: `${at}`, note: <Change {...change} /> })), ...words];
}

function Change({ title, before, after }: LineChange) {
  if (!before || !after)
    return (
      <>
        {before ? "Taken off" : "Added"}: <bdi>{title}</bdi>
      </>
    );
  const parts = [
    before.copies !== after.copies && `copies ${before.copies} → ${after.copies}`,
    before.is_required !== after.is_required && (after.is_required ? "required" : "optional"),
    before.note !== after.note && (after.note ? `note “${after.note}”` : "no note"),
  ];
  return (
    <>
      <bdi>{title}</bdi>: <JoinedTexts texts={parts.filter((part) => part !== false)} separator=", " />
    </>
  );
}
