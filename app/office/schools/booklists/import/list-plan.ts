import type { FileList, ListRow, LooseRow } from "./list-rows.ts";

export type ListAction = "add" | "update" | "unchanged" | "refused";

type LineFields = { copies: number; is_required: boolean; note: string | null };

/** How one line would change: `before` is null for a new line, `after` for a removed one. */
export type LineChange = { title: string; before: LineFields | null; after: LineFields | null };

/** The outcome for one list of the file. */
export type ListPlan = {
  list: FileList;
  action: ListAction;
  /** The id of the list in the shop; null until it exists. */
  id: string | null;
  updated_at: string | null;
  changes: LineChange[];
  /** Titles on the list that the shop does not sell. */
  inWords: string[];
  /** `line` is the file's line number, or null for the list as a whole. */
  problems: { line: number | null; message: string }[];
};

/** Problems that the file itself shows; a list with any is not sent. Null when there are none. */
export function refusedByFile(list: FileList): ListPlan | null {
  const problems: ListPlan["problems"] = list.rows.flatMap(({ line, problems }) =>
    problems.map((message) => ({ line, message })),
  );
  if (bytesOf(list.rows) > LIST_BYTES)
    problems.push({ line: null, message: "This list is too long to import. Shorten its titles and notes." });
  if (problems.length === 0) return null;
  return { list, action: "refused", id: null, updated_at: null, changes: [], inWords: [], problems };
}

export function countActions(plans: readonly ListPlan[]): Record<ListAction, number> {
  const count = (action: ListAction) => plans.filter((plan) => plan.action === action).length;
  return {
    add: count("add"),
    update: count("update"),
    unchanged: count("unchanged"),
    refused: count("refused"),
  };
}

/**
 * The rows left out with their reasons, by line. A list is left out entirely, so that the corrected rows are again
 * the complete list: importing only some of them would remove the others.
 */
export function listRowsLeftOut(plans: readonly ListPlan[], loose: readonly LooseRow[]): LooseRow[] {
  const rows = plans.flatMap((plan) =>
    plan.action === "refused" ? plan.list.rows.map((row) => leftOut(row, plan)) : [],
  );
  return [...loose, ...rows].sort((one, other) => one.line - other.line);
}

function leftOut({ line, cells }: ListRow, { problems }: ListPlan): LooseRow {
  const own = problems.filter((problem) => problem.line === null || problem.line === line);
  const messages = own.map(({ message }) => message);
  return {
    line,
    cells,
    problems: messages.length > 0 ? messages : ["Another line of this list has a problem."],
  };
}

/** Limits of one call: the size of a request, and what the database can do in a second or two. */
const BATCH_BYTES = 100_000;
const BATCH_LISTS = 50;
/** A list and the names of its fields must fit into a request of 128 KiB; only the cells are counted here. */
const LIST_BYTES = 120_000;

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

/** Groups lists so that each group fits into one call. */
export function inBatches<Item>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item) + 1;
    const batch = batches.at(-1);
    if (batch && batch.length < BATCH_LISTS && bytes + size <= BATCH_BYTES) {
      batch.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}
