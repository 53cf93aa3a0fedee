import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { LIST_PAGE_SIZE } from "#app/lib/react/list-state.ts";
import type { StockReason } from "#app/office/catalogue/books/stock-reasons.ts";
import type { ListPage } from "#app/office/frame/admin-list.tsx";
import { inPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";

/** The book of a stock card; null once it is deleted. @throws BackendFailure */
export async function findStockedBook(client: BackendClient, id: string) {
  const found = await client.from("books").select("id, title, publisher, price, stock_quantity").eq("id", id);
  const [book] = unwrap(found);
  return book ? inPesewas(book, "price") : null;
}

/** What a copy of a book costs on average; null if it is not known. @throws BackendFailure */
export async function readBookCost(client: BackendClient, bookId: string): Promise<Pesewas | null> {
  const cost = unwrap(await client.rpc("read_book_cost", { _book_id: bookId })) as number | null;
  return cost === null ? null : pesewasFromCedis(cost);
}

type Movements = { bookId: string; reason: string };

/** @throws BackendFailure */
export async function readMovements(
  client: BackendClient,
  { bookId, reason }: Movements,
  { page, descending, size = LIST_PAGE_SIZE }: { page: number; descending: boolean; size?: number },
) {
  const rows = unwrap(
    await client.rpc("list_stock_movements", {
      _book_id: bookId,
      _reason: reason || undefined,
      _descending: descending,
      _page: page,
      _page_size: size,
    }),
  );
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}

export type Movement = Awaited<ReturnType<typeof readMovements>>[number];

/** @throws BackendFailure */
export async function countMovements(client: BackendClient, { bookId, reason }: Movements): Promise<number> {
  return unwrap(
    await client.rpc("count_stock_movements", { _book_id: bookId, _reason: reason || undefined }),
  );
}

/** One page of a book's movements, and how many there are. @throws BackendFailure */
export async function listMovements(
  client: BackendClient,
  movements: Movements,
  place: { page: number; descending: boolean },
): Promise<ListPage<Movement>> {
  const [rows, total] = await Promise.all([
    readMovements(client, movements, place),
    countMovements(client, movements),
  ]);
  return { rows, total };
}

type StockChange = StockReason & { changeId: string; bookId: string; copies: number };

/**
 * Adds copies to a book's stock, or takes some out (negative). Repeating a `changeId` moves nothing.
 * @returns the copies that there are now
 * @throws BackendFailure
 */
export async function changeStock(client: BackendClient, { changeId, bookId, ...change }: StockChange) {
  return unwrap(
    await client.rpc("change_stock", {
      _change_id: changeId,
      _book_id: bookId,
      _copies: change.copies,
      _reason: change.reason,
      _note: change.note,
    }),
  );
}
