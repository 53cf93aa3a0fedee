import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { listCartLines } from "./cart.queries.ts";
import type { CartLine } from "./cart.ts";

/** A user's cart, or its saved copy while the shop is unreachable. */
export function readCart(userId: string): Promise<CartLine[]> {
  return readOrSaved("cart", userId, async () => listCartLines(await getBackend(), userId));
}
