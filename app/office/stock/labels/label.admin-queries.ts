import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";
import type { LabelBook } from "./label-page.tsx";

/** A receipt's books, one book, or those in the list of books. */
export type LabelSource =
  | { kind: "receipt"; id: string }
  | { kind: "book"; id: string }
  | { kind: "list"; q: string; publisher: string; ofKind: string; saleState: string }
  | { kind: "none" };

const COLUMNS = "id,title,isbn,price,shelf";

/** The most titles of a list. */
export const MOST_LISTED = 200;

/** The books and how many labels each needs: as many as have arrived, else one. @throws BackendFailure */
export async function listLabelBooks(
  client: BackendClient,
  source: LabelSource,
): Promise<{ book: LabelBook; copies: number }[]> {
  if (source.kind === "none") return [];
  if (source.kind === "list") {
    const { q, publisher, ofKind, saleState } = source;
    const listed = client.rpc("admin_list_books", {
      _q: q || undefined,
      _publisher: publisher || undefined,
      _kind: ofKind || undefined,
      _sale_state: saleState || undefined,
      _sort: "title",
      _page_size: MOST_LISTED,
    });
    const rows = unwrap(await listed.select(`${COLUMNS},kind`));
    // Digital titles have nothing to put a label on.
    return rows
      .filter(({ kind }) => kind !== "digital")
      .map(({ kind, ...row }) => ({ book: inPesewas(row, "price"), copies: 1 }));
  }
  const arrived =
    source.kind === "receipt"
      ? unwrap(
          await client.from("receipt_lines").select("book_id,copies").eq("receipt_id", source.id).order("id"),
        )
      : [{ book_id: source.id, copies: 1 }];
  const ids = arrived.map(({ book_id }) => book_id);
  const books = new Map<string, LabelBook>();
  // Hundreds of ids make a URL that proxies refuse.
  for (let at = 0; at < ids.length; at += 100) {
    const some = client
      .from("books")
      .select(COLUMNS)
      .in("id", ids.slice(at, at + 100));
    for (const row of unwrap(await some)) books.set(row.id, inPesewas(row, "price"));
  }
  return arrived.flatMap(({ book_id, copies }) => {
    const book = books.get(book_id);
    return book && copies > 0 ? [{ book, copies }] : [];
  });
}
