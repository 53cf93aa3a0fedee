import { Button } from "#app/components/button.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { countOf } from "#shared/text/count-of.ts";
import type { ExportFilters } from "./collect-rows.ts";
import { type ExportOf, isFiltered, useExport } from "./use-export.ts";

const formats = [
  ["csv", "Download CSV"],
  ["xlsx", "Download Excel"],
] as const;

type ExportButtonsProps<Row extends { id: string }, Place> = {
  of: ExportOf<Row, Place>;
  /** The list's search and filter, which the export follows. */
  filters: ExportFilters;
  /** How many rows match; undefined until known. */
  total: number | undefined;
};

/** Exports a list. Nothing is rendered for people who may not export personal data. */
export function ExportButtons<Row extends { id: string }, Place>(props: ExportButtonsProps<Row, Place>) {
  const mayExport = useDuty("exports");
  return props.of.isPersonal && !mayExport ? null : <Buttons {...props} />;
}

/** Says whether it exports everything or only the filtered rows, and shows the progress. */
function Buttons<Row extends { id: string }, Place>({ of, filters, total }: ExportButtonsProps<Row, Place>) {
  const { progress, start, cancel } = useExport(of, filters);
  const which = isFiltered(filters)
    ? countOf(total ?? 0, `matching ${of.one}`, `matching ${of.many}`)
    : `all ${countOf(total ?? 0, of.one, of.many)}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields
    <div
      role="group"
      aria-label={`Export ${of.many}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2"
    >
      <span className="figures text-muted max-sm:basis-full">
        {progress
          ? `Exporting ${progress.done.toLocaleString("en-GB")} of ${progress.total.toLocaleString("en-GB")}`
          : // An empty list says so itself.
            `Export ${total ? which : of.many}`}
      </span>
      {formats.map(([format, label]) => (
        <Button
          key={format}
          variant="secondary"
          className="max-sm:px-3"
          busy={progress?.format === format}
          disabled={progress ? progress.format !== format : !total}
          onClick={() => start(format)}
        >
          <OfficeIcon name="download" size={18} className="max-sm:hidden" />
          {label}
        </Button>
      ))}
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
