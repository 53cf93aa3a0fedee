import { useState } from "react";
import { ShowAllButton } from "#app/components/office/show-all-button.tsx";
import { countOf } from "#app/lib/count-of.ts";
import type { LineChange, ListPlan } from "./list-plan.ts";

/** Notes shown before Show all. */
const SHORT = 4;

/** Why a list is left out, or what happens to its lines. */
export function ListNotes({ plan }: { plan: ListPlan }) {
  const [whole, setWhole] = useState(false);
  const notes = notesOf(plan);
  if (notes.length === 0) return <span className="text-muted">–</span>;
  return (
    <div className="min-w-0">
      <ul className={`flex flex-col gap-0.5 ${plan.action === "refused" ? "text-clay" : ""}`}>
        {(whole ? notes : notes.slice(0, SHORT)).map((note) => (
          <li key={note} className="wrap-anywhere">
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

function notesOf({ action, changes, inWords, problems }: ListPlan): string[] {
  if (action === "refused")
    return problems.map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`));
  const words = inWords.length > 0 ? [`Not sold here: ${inWords.join(", ")}`] : [];
  if (action === "add") return [`${countOf(changes.length, "line")}`, ...words];
  if (action === "update" && changes.length === 0) return ["The lines are in another order.", ...words];
  return [...changes.map(changeNote), ...words];
}

function changeNote({ title, before, after }: LineChange): string {
  if (!before) return `Added: ${title}`;
  if (!after) return `Taken off: ${title}`;
  const parts = [
    before.copies !== after.copies && `copies ${before.copies} → ${after.copies}`,
    before.is_required !== after.is_required && (after.is_required ? "required" : "optional"),
    before.note !== after.note && (after.note ? `note “${after.note}”` : "no note"),
  ];
  return `${title}: ${parts.filter(Boolean).join(", ")}`;
}
