import { useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { LeftOutRows } from "./left-out-rows.tsx";
import { countActions } from "./list-plan.ts";
import { ListPlanTable } from "./list-plan-table.tsx";
import { ListProgress } from "./list-progress.tsx";
import type { LooseRow } from "./list-rows.ts";
import type { ListImport } from "./use-list-import.ts";

export type ListStepProps = {
  fileName: string;
  headings: string[];
  /** The file's rows that belong to no list. */
  loose: LooseRow[];
  work: ListImport;
  onBack: () => void;
};

/** The dry run: which lists would be added, changed or left out, and why. Nothing is saved until it is confirmed. */
export function ListCheck({ fileName, headings, loose, work, onBack }: ListStepProps) {
  const checkboxId = useId();
  const [publish, setPublish] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const plans = work.plans ?? [];
  const counts = countActions(plans);
  const writing = counts.add + counts.update;
  const words = new Set(plans.flatMap(({ action, inWords }) => (action === "refused" ? [] : inWords))).size;
  return (
    <>
      <div className="mb-6 flex flex-col gap-4">
        <p>
          <bdi className="font-semibold break-all">{fileName}</bdi>: {countOf(counts.add, "list")}{" "}
          {counts.add === 1 ? "is" : "are"} new, {countOf(counts.update, "list")} would change,{" "}
          {counts.unchanged.toLocaleString("en-GB")} already match, {counts.refused.toLocaleString("en-GB")}{" "}
          would be left out.
        </p>
        {words > 0 && (
          <p>
            {countOf(words, "title")} of these lists {words === 1 ? "is" : "are"} not sold by the shop and
            will be listed by title only.
          </p>
        )}
        {counts.add > 0 && (
          <p className="flex items-start gap-2">
            <input
              id={checkboxId}
              type="checkbox"
              className="mt-0.5 size-5 shrink-0 accent-green"
              checked={publish}
              disabled={work.isPending || work.stopped}
              onChange={(event) => setPublish(event.target.checked)}
            />
            <label htmlFor={checkboxId}>
              Publish the new lists immediately. Otherwise they are drafts, which only staff see.
            </label>
          </p>
        )}
        {writing === 0 && <p>There is nothing to import.</p>}
        <LeftOutRows fileName={fileName} headings={headings} plans={plans} loose={loose} />
        {(work.isPending || work.stopped) && <ListProgress {...work.progress} total={writing} what="saved" />}
        {work.stopped && (
          <p role="alert" className="text-clay">
            The import was interrupted. The lists counted above are saved, the others are not. Try again, or
            import the same file later: lists that are already saved won't change.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            disabled={writing === 0}
            busy={work.isPending}
            onClick={() => (work.stopped ? work.save(publish) : setConfirming(true))}
          >
            {work.stopped
              ? "Try Again"
              : work.isPending
                ? "Importing..."
                : `Import ${countOf(writing, "list")}`}
          </Button>
          <Button variant="secondary" disabled={work.isPending} onClick={onBack}>
            Choose another file
          </Button>
        </div>
        <ConfirmDialog
          open={confirming}
          question="Import these booklists?"
          confirmLabel="Import"
          variant="primary"
          onConfirm={() => work.save(publish)}
          onClose={() => setConfirming(false)}
        >
          <p>
            {countOf(counts.add, "list")} {counts.add === 1 ? "is" : "are"} added
            {publish ? " and published" : " as drafts"}, the lines of {countOf(counts.update, "list")}{" "}
            {counts.update === 1 ? "is" : "are"} replaced
            {counts.refused > 0 && `; ${countOf(counts.refused, "list")} left out`}.
          </p>
        </ConfirmDialog>
      </div>
      <ListPlanTable plans={plans} />
    </>
  );
}
