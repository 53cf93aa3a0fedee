import type { BackendClient } from "#app/lib/backend/client.ts";
import { movementReasons } from "#app/office/catalogue/books/stock-reasons.ts";
import {
  type ExportFilters,
  type ExportSource,
  fromLastPage,
  STEP_SIZE,
} from "#app/office/frame/export/collect-rows.ts";
import { type ExportColumns, tableOf } from "#app/office/frame/export/export-table.ts";
import { countMovements, type Movement, readMovements } from "./stock.admin-queries.ts";

const movementColumns: ExportColumns<Movement> = {
  When: (movement) => new Date(movement.created_at),
  Why: (movement) => movementReasons[movement.reason] ?? movement.reason,
  "Order number": (movement) => movement.order_number,
  "Purchase order": (movement) => movement.purchase_reference,
  By: (movement) => movement.by_name,
  Copies: (movement) => movement.quantity,
  "In stock afterwards": (movement) => movement.balance,
  Note: (movement) => movement.note,
};

/** A book's movements, the newest first. `filter` is a reason. */
function movementSource(
  client: BackendClient,
  bookId: string,
  { filter }: ExportFilters,
): ExportSource<Movement, number> {
  const movements = { bookId, reason: filter };
  return {
    count: () => countMovements(client, movements),
    ...fromLastPage((page) => readMovements(client, movements, { page, descending: false, size: STEP_SIZE })),
  };
}

/** The stock card of one book. */
export const movementExport = (bookId: string) => ({
  one: "movement",
  many: "stock movements",
  source: (client: BackendClient, filters: ExportFilters) => movementSource(client, bookId, filters),
  table: tableOf(movementColumns),
});
