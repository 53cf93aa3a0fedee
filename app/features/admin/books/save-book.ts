import type { BackendClient } from "#app/lib/backend-client.ts";
import { BackendFailure } from "#app/lib/backend-failure.ts";
import { type BookRecord, createBook, findBookRecord, updateBook } from "./book.admin-queries.ts";
import { type BookField, type BookValues, differingFields } from "./book-form.ts";

export type SaveOutcome =
  | { kind: "saved" }
  /** Somebody has deleted the book meanwhile. */
  | { kind: "gone" }
  /** Somebody has changed these fields meanwhile; nothing was written. */
  | { kind: "changed"; current: BookRecord; fields: BookField[] };

/** Orders may take copies while one saves; more often in a row than this is somebody else's editing. */
const ATTEMPTS = 4;

/**
 * Adds a book, or changes the one that was loaded without undoing what others did meanwhile. If nothing but the stock
 * has moved and it was not touched in the form, the copies of now stay; any other change is handed back.
 * @throws BackendFailure
 */
export async function saveBook(
  client: BackendClient,
  loaded: BookRecord | null,
  values: BookValues,
): Promise<SaveOutcome> {
  if (loaded === null) {
    await createBook(client, values);
    return { kind: "saved" };
  }
  const stockTouched = values.stock_quantity !== loaded.stock_quantity;
  let base = loaded;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stock_quantity = stockTouched ? values.stock_quantity : base.stock_quantity;
    if (await updateBook(client, base, { ...values, stock_quantity })) return { kind: "saved" };

    const current = await findBookRecord(client, loaded.id);
    if (current === null) return { kind: "gone" };
    // The row is as it was and still could not be written: the right to do so is gone.
    if (current.updated_at === base.updated_at) throw new BackendFailure({ code: "no_row" }, 403);
    const fields = differingFields(loaded, current);
    const onlyStock = fields.every((field) => field === "stock_quantity");
    if (!onlyStock || (stockTouched && fields.length > 0)) return { kind: "changed", current, fields };
    base = current;
  }
  throw new BackendFailure({ code: "too_busy" }, 409);
}
