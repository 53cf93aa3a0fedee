import { useCallback, useEffect, useRef, useState } from "react";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { collectCsv, type ExportSource } from "./collect-csv.ts";
import type { ExportFilters } from "./export.admin-queries.ts";
import { type ExportColumns, exportFileName } from "./export-columns.ts";
import { saveCsvFile } from "./save-file.ts";

/** A list that can be exported: what it is called, how it is read, what is written of each row. */
export type ExportOf<Row extends { id: string }, Place> = {
  one: string;
  many: string;
  source: (client: BackendClient, filters: ExportFilters) => ExportSource<Row, Place>;
  columns: ExportColumns<Row>;
};

/** How far the export is; null when none runs. */
export type ExportProgress = { done: number; total: number };

/** Exports a list to a file, one at a time. Leaving the page or `cancel` stops it. */
export function useExport<Row extends { id: string }, Place>(
  { one, many, source, columns }: ExportOf<Row, Place>,
  filters: ExportFilters,
) {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);

  const { mutate } = useAdminMutation({
    run: async (client, { controller, chosen }: { controller: AbortController; chosen: ExportFilters }) => {
      try {
        const { parts, rows } = await collectCsv(source(client, chosen), columns, {
          onProgress: (done, total) => setProgress({ done, total }),
          signal: controller.signal,
        });
        const fileName = exportFileName(many, isFiltered(chosen), new Date());
        saveCsvFile(parts, fileName);
        return { rows, fileName };
      } catch (error) {
        if (controller.signal.aborted) return null;
        throw error;
      } finally {
        running.current = null;
        setProgress(null);
      }
    },
    success: (result) =>
      result && {
        title: `${result.rows.toLocaleString("en-GB")} ${result.rows === 1 ? one : many} exported`,
        description: result.fileName,
      },
    failure: `Failed to export ${many}`,
  });

  const start = () => {
    // A second press comes before the page shows that the first one works.
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total: 0 });
    mutate({ controller, chosen: filters });
  };
  return { progress, start, cancel };
}

export function isFiltered({ q, filter }: ExportFilters): boolean {
  return q !== "" || filter !== "";
}
