import { useEffect, useRef, useState } from "react";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import type { BookImportDefaults } from "#app/features/books/book-import.queries.ts";
import { type ColumnChoices, mappingOf } from "./column-choices.ts";
import { createImport, stageRows } from "./import.admin-queries.ts";
import { saveImportRecord } from "./import-records.ts";
import type { OpenedFile } from "./new-import.tsx";
import { prepareStaging, type Staging } from "./staging.ts";

type Work = { staging: Staging; importId: string | null };

/** Sends a table to the database's staging, with its progress; after a failure it goes on where it stopped. */
export function useStaging(file: OpenedFile, onStaged: (importId: string) => void) {
  const work = useRef<Work | null>(null);
  const running = useRef<AbortController | null>(null);
  const [done, setDone] = useState<number | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const { mutate, isPending, isError, reset } = useAdminMutation({
    run: async (
      client,
      input: { choices: ColumnChoices; defaults: BookImportDefaults; signal: AbortSignal },
    ) => {
      work.current ??= {
        staging: prepareStaging(file.table.rows, mappingOf(input.choices, file.table.headings)),
        importId: null,
      };
      const { staging } = work.current;
      try {
        work.current.importId ??= await createImport(client, file.name, input.defaults);
        const { importId } = work.current;
        saveImportRecord(importId, false, staging.notes);
        await staging.run((rows) => stageRows(client, importId, rows), {
          signal: input.signal,
          onProgress: setDone,
        });
        saveImportRecord(importId, true, staging.notes);
        return importId;
      } catch (error) {
        if (input.signal.aborted) return null;
        throw error;
      } finally {
        running.current = null;
      }
    },
    success: () => null,
    failure: "Failed to send the rows",
    onSuccess: (importId) => {
      if (importId !== null) onStaged(importId);
    },
  });

  return {
    /** Rows that have arrived; null before anything was sent. */
    done,
    isPending,
    /** It stopped on the way and can go on. */
    stopped: isError,
    start: (choices: ColumnChoices, defaults: BookImportDefaults) => {
      if (running.current) return;
      running.current = new AbortController();
      setDone((before) => before ?? 0);
      mutate({ choices, defaults, signal: running.current.signal });
    },
    /** Forgets what was sent, to choose other columns. */
    restart: () => {
      work.current = null;
      setDone(null);
      reset();
    },
  };
}
