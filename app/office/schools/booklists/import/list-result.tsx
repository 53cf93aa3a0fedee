import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { LeftOutRows } from "./left-out-rows.tsx";
import type { ListStepProps } from "./list-check.tsx";
import { countActions } from "./list-plan.ts";
import { ListPlanTable } from "./list-plan-table.tsx";

/** What an import did. */
export function ListResult({ fileName, headings, loose, work, onBack }: ListStepProps) {
  const plans = work.results ?? [];
  const counts = countActions(plans);
  return (
    <>
      <div className="mb-6 flex max-w-3xl flex-col gap-4">
        <Callout tone="success">
          <p className="font-semibold break-all">
            <bdi>{fileName}</bdi> has been imported
          </p>
          <p className="figures">
            {countOf(counts.add, "list")} added, {counts.update.toLocaleString("en-GB")} changed,{" "}
            {counts.unchanged.toLocaleString("en-GB")} unchanged, {counts.refused.toLocaleString("en-GB")}{" "}
            left out
          </p>
        </Callout>
        <LeftOutRows fileName={fileName} headings={headings} plans={plans} loose={loose} />
        <div className="flex flex-wrap gap-3">
          <Link to="/admin/booklists" className={buttonClass()}>
            See the booklists
          </Link>
          <Button variant="secondary" onClick={onBack}>
            Import another file
          </Button>
        </div>
      </div>
      <ListPlanTable plans={plans} />
    </>
  );
}
