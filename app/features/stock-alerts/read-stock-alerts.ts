import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import type { BookListGateway } from "#app/features/own-lists/book-list-store.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { openStockAlerts } from "./stock-alert.queries.ts";

const open = async () => openStockAlerts(await getBackend());

/** The user's requests in the database, or their saved copy while the shop is unreachable. */
export const stockAlertsGateway: BookListGateway = {
  list: (userId) => readOrSaved("stock-alerts", userId, async () => (await open()).list(userId)),
  async create(userId, bookId) {
    requireConnection();
    return (await open()).create(userId, bookId);
  },
  async remove(userId, bookId) {
    requireConnection();
    return (await open()).remove(userId, bookId);
  },
};
