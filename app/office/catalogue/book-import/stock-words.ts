import { countOf } from "#shared/text/count-of.ts";
import type { StockCounts } from "./book-import.queries.ts";

const books = (count: number) => countOf(count, "book");

/** What an import does to the stock of books that the shop has, and what it leaves, in sentences; empty when it is nothing. */
export function stockWords({ stock_changed, stock_moved, stock_kept, fields_moved }: StockCounts): string {
  return [
    stock_changed > 0 && `The stock of ${books(stock_changed)} changes.`,
    stock_moved > 0 &&
      `${books(stock_moved)} ${stock_moved === 1 ? "has" : "have"} been sold or received since the export: the stock stays as it is now.`,
    stock_kept > 0 &&
      `The file gives a different stock for ${books(stock_kept)} that the shop already has; ${stock_kept === 1 ? "its" : "their"} stock stays as it is.`,
    fields_moved > 0 &&
      `${books(fields_moved)} ${fields_moved === 1 ? "was" : "were"} changed in the shop since the export; those changes stay.`,
  ]
    .filter(Boolean)
    .join(" ");
}
