import type { BookListGateway } from "#app/features/own-lists/book-list-store.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";

/**
 * The sold-out books that the user is waiting for; the database removes one when its email is sent. `create` fails
 * with the code `book_in_stock`, `book_not_found` or `too_many_stock_alerts`.
 */
export const openStockAlerts = (client: BackendClient): BookListGateway => ({
  async list(userId) {
    const rows = unwrap(await client.from("stock_alerts").select("book_id").eq("user_id", userId));
    return rows.map(({ book_id }) => book_id);
  },
  async create(_userId, bookId) {
    unwrapDone(await client.rpc("request_stock_alert", { _book_id: bookId }));
  },
  async remove(userId, bookId) {
    unwrap(
      await client
        .from("stock_alerts")
        .delete()
        .eq("user_id", userId)
        .eq("book_id", bookId)
        .select("book_id"),
    );
  },
});

/**
 * The books the user is waiting for, latest request first; the database allows 100.
 * @throws BackendFailure
 */
export async function listAwaitedBooks(client: BackendClient, userId: string) {
  const rows = unwrap(
    await client
      .from("stock_alerts")
      .select("book:books(id, title, stock_quantity:for_sale)")
      .eq("user_id", userId)
      .order("created_at", { ascending: false }),
  );
  return rows.map(({ book }) => book);
}
