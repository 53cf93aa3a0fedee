import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { LineChange, ListAction, ListPlan } from "./list-plan.ts";
import type { FileList, ListRow } from "./list-rows.ts";

/** A list as the database expects it; `updated_at` comes from its dry run and is null for a new list. */
export type SentList = {
  school: string;
  class_name: string;
  school_year: string;
  updated_at: string | null;
  lines: Omit<ListRow, "cells" | "problems" | "position">[];
};

export function sentList({ rows, ...list }: FileList, updated_at: string | null): SentList {
  return {
    ...list,
    updated_at,
    lines: rows.map(({ cells, problems, position, ...line }) => line),
  };
}

/**
 * Saves up to 100 lists of a file, each completely or not at all; with `dryRun` it only reports what would happen.
 * @returns the outcome for each list, in order
 * @throws BackendFailure
 */
export async function importBooklists(
  client: BackendClient,
  lists: readonly SentList[],
  { dryRun, publish }: { dryRun: boolean; publish: boolean },
): Promise<Omit<ListPlan, "list">[]> {
  const rows = unwrap(
    await client.rpc("import_booklists", { _lists: [...lists], _dry_run: dryRun, _publish: publish }),
  );
  return rows.map(({ action, id, updated_at, lines, changes, problems }) => ({
    action: action as ListAction,
    id,
    updated_at,
    changes: changes as LineChange[],
    inWords: (lines as { book_id: string | null; title: string }[])
      .filter(({ book_id }) => book_id === null)
      .map(({ title }) => title),
    problems: problems as ListPlan["problems"],
  }));
}
