import type { BackendClient } from "#app/lib/backend/client.ts";
import {
  type ExportFilters,
  type ExportSource,
  fromLastPage,
  STEP_SIZE,
} from "#app/office/frame/export/collect-rows.ts";
import { type ExportColumns, spreadsheetIsbn, tableOf } from "#app/office/frame/export/export-table.ts";
import { type CountLine, countCountLines, readCountLines } from "./count.admin-queries.ts";

const countColumns: ExportColumns<CountLine> = {
  Book: (line) => line.title,
  Publisher: (line) => line.publisher,
  ISBN: (line) => spreadsheetIsbn(line.isbn),
  "Shelf place": (line) => line.shelf,
  Counted: (line) => line.counted,
  Expected: (line) => line.expected,
  Difference: (line) => line.difference,
  "Moved between its scans": (line) => line.moved,
  "Times counted": (line) => (line.counted === null ? line.round - 1 : line.round),
  "In the scope": (line) => (line.in_scope ? "yes" : "no"),
  "Counted by": (line) => line.counted_by,
  "Last scan": (line) => (line.scanned_at === null ? null : new Date(line.scanned_at)),
};

/** The books of a count by shelf place. `filter` is which of them. */
function countSource(
  client: BackendClient,
  countId: string,
  { q, filter }: ExportFilters,
): ExportSource<CountLine, number> {
  const filters = { countId, show: filter, q };
  const sort = { key: "shelf", descending: true } as const;
  return {
    count: () => countCountLines(client, filters),
    ...fromLastPage((page) => readCountLines(client, filters, { page, sort, size: STEP_SIZE })),
  };
}

/** The books of a count of the stock. */
export const countExport = (countId: string) => ({
  one: "book",
  many: "counted books",
  source: (client: BackendClient, filters: ExportFilters) => countSource(client, countId, filters),
  table: tableOf(countColumns),
});
