import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";
import type { CartLine } from "./cart.ts";

const LINE =
  "id, quantity, book:books(id, title, publisher, price, stock_quantity:for_sale, image_url, subject, course, kind, digital_by)";

/**
 * A user's cart, oldest line first; the database limits it to the rows of one response.
 * @throws BackendFailure
 */
export async function listCartLines(client: BackendClient, userId: string): Promise<CartLine[]> {
  const lines = unwrap(
    await client.from("cart_items").select(LINE).eq("user_id", userId).order("created_at").order("id"),
  );
  return lines.map((line) => ({ ...line, book: inPesewas(line.book, "price") }));
}

/**
 * Increases the book's quantity in the caller's cart, atomically: two tabs may do it at the same time.
 * @returns the updated line
 * @throws BackendFailure
 */
export async function addToCart(
  client: BackendClient,
  bookId: string,
  quantity: number,
): Promise<{ id: string; quantity: number }> {
  return unwrap(await client.rpc("add_to_cart", { _book_id: bookId, _quantity: quantity }));
}

/** @throws BackendFailure, also when the line no longer exists */
export async function updateCartLine(
  client: BackendClient,
  userId: string,
  lineId: string,
  quantity: number,
): Promise<void> {
  unwrapWritten(
    await client.from("cart_items").update({ quantity }).eq("id", lineId).eq("user_id", userId).select("id"),
  );
}

/** A line that no longer exists counts as removed. @throws BackendFailure */
export async function removeCartLine(client: BackendClient, userId: string, lineId: string): Promise<void> {
  unwrap(await client.from("cart_items").delete().eq("id", lineId).eq("user_id", userId).select("id"));
}

/** @throws BackendFailure */
export async function removeCartLines(client: BackendClient, userId: string): Promise<void> {
  unwrap(await client.from("cart_items").delete().eq("user_id", userId).select("id"));
}
