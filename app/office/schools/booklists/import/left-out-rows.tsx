import { Button } from "#app/components/button.tsx";
import { saveTable } from "#app/lib/tables/save-table.ts";
import { rowsLeftOutTable } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { formatOf } from "#shared/tables/table-file.ts";
import { countOf } from "#shared/text/count-of.ts";
import { type ListPlan, listRowsLeftOut } from "./list-plan.ts";
import type { LooseRow } from "./list-rows.ts";

type LeftOutRowsProps = {
  fileName: string;
  headings: string[];
  plans: readonly ListPlan[];
  loose: readonly LooseRow[];
};

/**
 * Downloads the rows left out, with their lines and reasons, as a file to correct; renders nothing when there are
 * none.
 */
export function LeftOutRows({ fileName, headings, plans, loose }: LeftOutRowsProps) {
  const rows = listRowsLeftOut(plans, loose);
  if (rows.length === 0) return null;
  return (
    <div>
      <Button
        variant="secondary"
        className="py-2"
        onClick={() => void saveTable(rowsLeftOutTable({ fileName, headings, rows }), formatOf(fileName))}
      >
        <OfficeIcon name="download" size={18} />
        Download {countOf(rows.length, "row")} left out
      </Button>
      <p className="mt-1.5 text-muted">
        Each row comes with its line number and the reason. Correct the rows in a spreadsheet and import them
        as another file; keep the rows of a list together.
      </p>
    </div>
  );
}
