import { Button } from "#app/components/button.tsx";
import { IconAction } from "#app/components/office/icon-action.tsx";
import { OfficeIcon } from "#app/components/office/office-icon.tsx";
import { countOf } from "#app/lib/count-of.ts";
import { bookSource, type ExportFilters, orderSource, userSource } from "./export.admin-queries.ts";
import { bookTable, orderTable, userTable } from "./export-columns.ts";
import { type ExportOf, isFiltered, useExport } from "./use-export.ts";

type ExportProps = {
  /** The list's search and filter, which the export follows. */
  filters: ExportFilters;
  /** How many rows match; undefined until known. */
  total: number | undefined;
};

export function ExportBooks(props: ExportProps) {
  return <ExportButton of={books} {...props} />;
}

export function ExportOrders(props: ExportProps) {
  return <ExportButton of={orders} {...props} />;
}

export function ExportUsers(props: ExportProps) {
  return <ExportButton of={users} {...props} />;
}

const books = { one: "book", many: "books", source: bookSource, table: bookTable };
const orders = { one: "order", many: "orders", source: orderSource, table: orderTable };
const users = { one: "user", many: "users", source: userSource, table: userTable };

/** Its label says whether it exports everything or only the filtered rows, and shows the progress. */
function ExportButton<Row extends { id: string }, Place>({
  of,
  filters,
  total,
}: ExportProps & { of: ExportOf<Row, Place> }) {
  const { progress, start, cancel } = useExport(of, filters);
  const which = isFiltered(filters)
    ? countOf(total ?? 0, `matching ${of.one}`, `matching ${of.many}`)
    : `all ${countOf(total ?? 0, of.one, of.many)}`;
  return (
    <div className="flex items-center gap-1">
      <Button
        variant="secondary"
        busy={progress !== null}
        disabled={progress === null && !total}
        onClick={start}
        title="Downloads a CSV file for spreadsheets"
      >
        <OfficeIcon name="download" size={18} className="max-sm:hidden" />
        {progress ? (
          <span className="figures">
            Exporting {progress.done.toLocaleString("en-GB")} of {progress.total.toLocaleString("en-GB")}
          </span>
        ) : (
          // An empty list says so itself.
          `Export ${total ? which : of.many}`
        )}
      </Button>
      {progress && (
        <>
          <progress
            aria-label={`Exporting ${of.many}`}
            className="sr-only"
            value={progress.done}
            max={Math.max(progress.total, 1)}
          />
          <IconAction icon="close" label="Cancel export" onClick={cancel} />
        </>
      )}
    </div>
  );
}
