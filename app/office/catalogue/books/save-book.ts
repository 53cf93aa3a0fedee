import { type BookField, type BookValues, bookFieldNames } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { failureFrom } from "#app/lib/backend/response.ts";
import { type BookRecord, createBook, findBookRecord, updateBook } from "./book.admin-queries.ts";
import { differingFields } from "./book-form.ts";
import type { StockReason } from "./stock-reasons.ts";

type SaveOutcome =
  /** `others` are fields that someone else has changed since the book was loaded; they stay. */
  | { kind: "saved"; id: string; others: BookField[] }
  /** The book has since been deleted. */
  | { kind: "gone" }
  /** Someone else has since changed these fields, which were edited here too; nothing was written. */
  | { kind: "changed"; current: BookRecord; fields: BookField[] };

/** Orders may take copies during a save; more conflicts in a row than this mean that someone else is editing. */
const ATTEMPTS = 4;

/**
 * Adds a book, or changes of the one that was loaded only what was edited: what others have changed since stays, and a
 * field that both have changed is returned.
 * @param because why its stock was edited, null if it was not
 * @throws BackendFailure
 */
export async function saveBook(
  client: BackendClient,
  loaded: BookRecord | null,
  values: BookValues,
  because: StockReason | null,
): Promise<SaveOutcome> {
  if (loaded === null) return { kind: "saved", id: await createBook(client, values), others: [] };
  const edited = differingFields(loaded, values);
  let base = loaded;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const changes = Object.fromEntries(edited.map((field) => [field, values[field]]));
    if (await updateBook(client, base, { ...valuesOf(base), ...changes }, because))
      return {
        kind: "saved",
        id: loaded.id,
        others: differingFields(loaded, base).filter((field) => field !== "stock_quantity"),
      };

    const current = await findBookRecord(client, loaded.id);
    if (current === null) return { kind: "gone" };
    // The row is unchanged but could not be written: the user is no longer an admin.
    if (current.updated_at === base.updated_at) throw failureFrom({ code: "no_row" }, 403);
    const fields = differingFields(loaded, current).filter(
      (field) => edited.includes(field) && (field === "stock_quantity" || current[field] !== values[field]),
    );
    if (fields.length > 0) return { kind: "changed", current, fields };
    base = current;
  }
  throw failureFrom({ code: "too_busy" }, 409);
}

const valuesOf = (book: BookRecord) =>
  Object.fromEntries(bookFieldNames.map((field) => [field, book[field]])) as BookValues;
