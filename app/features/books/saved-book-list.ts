import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { requireConnection } from "#app/lib/offline.ts";
import type { BookListGateway } from "./book-list-store.ts";

/**
 * A user's list of books in the database, or its saved copy while the shop is unreachable; changes then fail at once.
 * @param name of the saved copy
 */
export function savedBookList(
  name: string,
  openList: (client: BackendClient) => BookListGateway,
): BookListGateway {
  const open = async () => openList(await getBackend());
  return {
    list: (userId) => readOrSaved(name, userId, async () => (await open()).list(userId)),
    async create(userId, bookId) {
      requireConnection();
      return (await open()).create(userId, bookId);
    },
    async remove(userId, bookId) {
      requireConnection();
      return (await open()).remove(userId, bookId);
    },
  };
}
