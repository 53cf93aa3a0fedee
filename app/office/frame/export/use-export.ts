import { useState } from "react";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { saveFile } from "#app/lib/browser/save-file.ts";
import { openTableFile } from "#app/lib/tables/open-table-file.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useSingleRun } from "#app/office/frame/use-single-run.ts";
import { type TableFormat, TableProblem } from "#shared/tables/table-file.ts";
import { countOf } from "#shared/text/count-of.ts";
import { collectRows, type ExportFilters, type ExportSource } from "./collect-rows.ts";
import { type ExportTable, exportFileName } from "./export-table.ts";

/** A list that can be exported: its name, how to read it, and what to write for each row. */
export type ExportOf<Row extends { id: string }, Place> = {
  one: string;
  many: string;
  source: (client: BackendClient, filters: ExportFilters) => ExportSource<Row, Place>;
  table: ExportTable<Row>;
  /** Exporting personal data needs the duty exports. */
  isPersonal?: boolean;
};

/** The export's progress; null when none is running. */
type ExportProgress = { format: TableFormat; done: number; total: number };

type Started = { signal: AbortSignal; chosen: ExportFilters; format: TableFormat };

/** Exports a list to a file, one at a time. Leaving the page or `cancel` stops it. */
export function useExport<Row extends { id: string }, Place>(
  { one, many, source, table }: ExportOf<Row, Place>,
  filters: ExportFilters,
) {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const { begin, end, cancel } = useSingleRun();

  const { mutate } = useAdminMutation({
    run: async (client, { signal, chosen, format }: Started) => {
      try {
        const file = await openTableFile(format, table.headings);
        const rows = await collectRows(source(client, chosen), table, {
          file,
          onProgress: (done, total) => setProgress({ format, done, total }),
          signal,
        });
        const fileName = `${exportFileName(many, isFiltered(chosen), new Date())}.${format}`;
        saveFile(await file.finish(), fileName);
        return { rows, fileName };
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      } finally {
        end();
        setProgress(null);
      }
    },
    success: (result) =>
      result && {
        title: `${countOf(result.rows, one, many)} exported`,
        description: result.fileName,
      },
    failure: `Failed to export ${many}`,
    reasonOf: (error) => (error instanceof TableProblem ? error.message : staffMessage(error)),
    long: true,
  });

  const start = (format: TableFormat) => {
    const signal = begin();
    if (!signal) return;
    setProgress({ format, done: 0, total: 0 });
    mutate({ signal, chosen: filters, format });
  };
  return { progress, start, cancel };
}

export function isFiltered(filters: ExportFilters): boolean {
  return Object.values(filters).some((value) => value !== "");
}
