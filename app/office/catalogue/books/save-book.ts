import type { BookField, BookValues } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { failureFrom } from "#app/lib/backend/response.ts";
import { type BookRecord, createBook, findBookRecord, updateBook } from "./book.admin-queries.ts";
import { differingFields } from "./book-form.ts";
import type { StockReason } from "./stock-reasons.ts";

type SaveOutcome =
  | { kind: "saved"; id: string }
  /** The book has since been deleted. */
  | { kind: "gone" }
  /** Someone else has since changed these fields; nothing was written. */
  | { kind: "changed"; current: BookRecord; fields: BookField[] };

/** Orders may take copies during a save; more conflicts in a row than this mean that someone else is editing. */
const ATTEMPTS = 4;

/**
 * Adds a book, or changes the one that was loaded without undoing what others have done since. If nothing but the stock
 * has changed and it was not edited in the form, the current stock is kept; any other change is returned.
 * @param because why its stock was edited, null if it was not
 * @throws BackendFailure
 */
export async function saveBook(
  client: BackendClient,
  loaded: BookRecord | null,
  values: BookValues,
  because: StockReason | null,
): Promise<SaveOutcome> {
  if (loaded === null) return { kind: "saved", id: await createBook(client, values) };
  const stockTouched = values.stock_quantity !== loaded.stock_quantity;
  let base = loaded;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stock_quantity = stockTouched ? values.stock_quantity : base.stock_quantity;
    const edited = { ...values, stock_quantity };
    if (await updateBook(client, base, edited, stockTouched ? because : null))
      return { kind: "saved", id: loaded.id };

    const current = await findBookRecord(client, loaded.id);
    if (current === null) return { kind: "gone" };
    // The row is unchanged but could not be written: the user is no longer an admin.
    if (current.updated_at === base.updated_at) throw failureFrom({ code: "no_row" }, 403);
    const fields = differingFields(loaded, current);
    const onlyStock = fields.every((field) => field === "stock_quantity");
    if (!onlyStock || (stockTouched && fields.length > 0)) return { kind: "changed", current, fields };
    base = current;
  }
  throw failureFrom({ code: "too_busy" }, 409);
}
