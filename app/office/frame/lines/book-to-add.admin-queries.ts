import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";

/**
 * The first books that match a title or an ISBN.
 * @throws BackendFailure
 */
export async function findBooksToAdd(client: BackendClient, q: string) {
  const rows = await client
    .rpc("admin_list_books", { _q: q, _sort: "title", _page_size: 6 })
    .select("id,title,publisher,isbn,price,stock_quantity:for_sale,copies:stock_quantity,kind")
    .then(unwrap);
  return rows.map((book) => inPesewas(book, "price"));
}

export type BookToAdd = Awaited<ReturnType<typeof findBooksToAdd>>[number];
