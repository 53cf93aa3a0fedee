import { useState } from "react";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { useSingleRun } from "#app/features/admin/use-single-run.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { countOf } from "#app/lib/count-of.ts";
import { saveCsvFile } from "#app/lib/save-csv-file.ts";
import { collectCsv, type ExportSource } from "./collect-csv.ts";
import type { ExportFilters } from "./export.admin-queries.ts";
import { type ExportTable, exportFileName } from "./export-columns.ts";

/** A list that can be exported: its name, how to read it, and what to write for each row. */
export type ExportOf<Row extends { id: string }, Place> = {
  one: string;
  many: string;
  source: (client: BackendClient, filters: ExportFilters) => ExportSource<Row, Place>;
  table: ExportTable<Row>;
};

/** The export's progress; null when none is running. */
type ExportProgress = { done: number; total: number };

/** Exports a list to a file, one at a time. Leaving the page or `cancel` stops it. */
export function useExport<Row extends { id: string }, Place>(
  { one, many, source, table }: ExportOf<Row, Place>,
  filters: ExportFilters,
) {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const { begin, end, cancel } = useSingleRun();

  const { mutate } = useAdminMutation({
    run: async (client, { signal, chosen }: { signal: AbortSignal; chosen: ExportFilters }) => {
      try {
        const { parts, rows } = await collectCsv(source(client, chosen), table, {
          onProgress: (done, total) => setProgress({ done, total }),
          signal,
        });
        const fileName = exportFileName(many, isFiltered(chosen), new Date());
        saveCsvFile(parts, fileName);
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
    long: true,
  });

  const start = () => {
    const signal = begin();
    if (!signal) return;
    setProgress({ done: 0, total: 0 });
    mutate({ signal, chosen: filters });
  };
  return { progress, start, cancel };
}

export function isFiltered(filters: ExportFilters): boolean {
  return Object.values(filters).some((value) => value !== "");
}
