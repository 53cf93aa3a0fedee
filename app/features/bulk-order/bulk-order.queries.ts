import type { CartAddition } from "#app/features/cart/cart-problem.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";

/**
 * Adds copies of up to 500 different books to the caller's cart, as far as stock and cart allow. Results are in the
 * same order. A call that is repeated with the same `requestId` adds nothing and returns the same.
 * @throws BackendFailure
 */
export async function addBooksToCart(
  client: BackendClient,
  requested: readonly { bookId: string; quantity: number }[],
  requestId: string,
): Promise<(CartAddition & { bookId: string })[]> {
  const rows = unwrap(
    await client.rpc("add_books_to_cart", {
      _book_ids: requested.map(({ bookId }) => bookId),
      _quantities: requested.map(({ quantity }) => quantity),
      _request_id: requestId,
    }),
  );
  return rows.map(({ book_id, ...addition }) => ({ ...addition, bookId: book_id }));
}
