import { useRef, useState } from "react";
import {
  type BookImportChoices,
  createBookImport,
  listKnownPublishers,
  stageBookImportRows,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import { saveImportRecord } from "#app/office/catalogue/book-import/import-records.ts";
import type { ListChoices, ListPlan } from "#app/office/catalogue/book-import/list-plan.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useSingleRun } from "#app/office/frame/use-single-run.ts";
import { type ColumnChoices, mappingOf } from "./column-choices.ts";
import type { OpenedFile } from "./new-import.tsx";
import { prepareStaging, type Staging } from "./staging.ts";

type Work = { staging: Staging; importId: string };

/** Sends a table to the database's staging, with its progress; after a failure it resumes where it stopped. */
export function useStaging(file: OpenedFile, onStaged: (importId: string) => void) {
  const work = useRef<Work | null>(null);
  const { begin, end } = useSingleRun();
  const [done, setDone] = useState<number | null>(null);

  const { mutate, isPending, isError, reset } = useAdminMutation({
    run: async (
      client,
      input: {
        columns: ColumnChoices;
        choices: BookImportChoices;
        plan: ListPlan;
        list: ListChoices;
        signal: AbortSignal;
      },
    ) => {
      const { headings, rows } = file.table;
      try {
        work.current ??= {
          staging: prepareStaging(
            rows,
            mappingOf(input.columns, headings),
            await listKnownPublishers(client),
            input.plan,
            input.list,
          ),
          importId: await createBookImport(client, file.name, input.choices, headings),
        };
        const { staging, importId } = work.current;
        saveImportRecord(importId, false, staging.hints);
        await staging.run((chunk) => stageBookImportRows(client, importId, chunk), {
          signal: input.signal,
          onProgress: setDone,
        });
        saveImportRecord(importId, true, staging.hints);
        return importId;
      } catch (error) {
        if (input.signal.aborted) return null;
        throw error;
      } finally {
        end();
      }
    },
    success: () => null,
    failure: "Failed to send the rows",
    long: true,
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
    start: (columns: ColumnChoices, choices: BookImportChoices, plan: ListPlan, list: ListChoices) => {
      const signal = begin();
      if (!signal) return;
      setDone((before) => before ?? 0);
      mutate({ columns, choices, plan, list, signal });
    },
    /** Forgets what was sent, to choose other columns. */
    restart: () => {
      work.current = null;
      setDone(null);
      reset();
    },
  };
}
