import { useState } from "react";
import { Link } from "react-router";
import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { ListNotes } from "./list-notes.tsx";
import { countActions, type ListAction, type ListPlan } from "./list-plan.ts";

/** The kinds of lists, the ones that need attention first. */
const KINDS = [
  { action: "refused", label: "Problems", word: "Problem", badge: "destructive" },
  { action: "update", label: "Changes", word: "Changed", badge: "outline" },
  { action: "add", label: "New lists", word: "New", badge: "default" },
  { action: "unchanged", label: "Unchanged", word: "Unchanged", badge: "secondary" },
] as const satisfies { action: ListAction; label: string; word: string; badge: BadgeVariant }[];

const PAGE = 50;

/** The outcome for each list, one kind at a time. */
export function ListPlanTable({ plans }: { plans: readonly ListPlan[] }) {
  const counts = countActions(plans);
  const [chosen, setChosen] = useState<ListAction | null>(null);
  const [shown, setShown] = useState(PAGE);
  const kind = chosen ?? KINDS.find(({ action }) => counts[action] > 0)?.action ?? "add";
  const rows = plans.filter(({ action }) => action === kind);
  return (
    <section aria-labelledby="lists">
      <h2 id="lists" className="mb-2 text-20">
        List by list
      </h2>
      <DataTable
        label="Lists of the file"
        toolbar={
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">Kinds of lists</legend>
            {KINDS.map(({ action, label }) => (
              <Button
                key={action}
                variant={action === kind ? "primary" : "secondary"}
                aria-pressed={action === kind}
                onClick={() => {
                  setChosen(action);
                  setShown(PAGE);
                }}
              >
                {label} {counts[action].toLocaleString("en-GB")}
              </Button>
            ))}
          </fieldset>
        }
        columns={columns}
        rows={rows.slice(0, shown)}
        rowId={({ list }) => `${list.rows[0]?.line}`}
        empty="No such lists"
        failure={null}
      />
      {rows.length > shown && (
        <Button variant="secondary" className="mt-2" onClick={() => setShown(shown + PAGE)}>
          Show {Math.min(PAGE, rows.length - shown)} more
        </Button>
      )}
    </section>
  );
}

const columns: readonly DataColumn<ListPlan>[] = [
  {
    id: "school",
    header: "School",
    card: "title",
    className: "@4xl:align-top",
    cell: ({ list, id }) =>
      id === null ? (
        <span className="wrap-anywhere">{list.school || "No school"}</span>
      ) : (
        <Link
          to={`/admin/booklists/${id}`}
          className="inline-flex min-h-11 items-center font-semibold wrap-anywhere @4xl:min-h-6"
        >
          {list.school}
        </Link>
      ),
  },
  {
    id: "class",
    header: "Class",
    className: "@4xl:align-top wrap-anywhere",
    cell: ({ list }) => list.class_name || "–",
  },
  {
    id: "school_year",
    header: "School year",
    className: "figures @4xl:align-top",
    cell: ({ list }) => list.school_year || "–",
  },
  {
    id: "lines",
    header: "Lines",
    align: "right",
    className: "@4xl:align-top",
    cell: ({ list }) => list.rows.length,
  },
  {
    id: "what",
    header: "What",
    className: "@4xl:align-top",
    cell: ({ action }) => {
      const kind = KINDS.find((one) => one.action === action);
      return <Badge variant={kind?.badge}>{kind?.word}</Badge>;
    },
  },
  { id: "notes", header: "Notes", className: "@4xl:align-top", cell: (plan) => <ListNotes plan={plan} /> },
];
