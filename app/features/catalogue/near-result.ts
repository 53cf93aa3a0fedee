import type { BackendClient } from "#app/lib/backend/client.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { findNearBooks, type NearBooks } from "./catalogue.queries.ts";
import type { CatalogueQuery } from "./catalogue-query.ts";

/**
 * What to show below the result of a search that found this many books; null where nothing is close. Any failure is only logged, since
 * the result is useful without close matches.
 */
export async function nearResult(
  client: BackendClient,
  query: CatalogueQuery,
  total: number,
  pageSize: number,
): Promise<NearBooks | null> {
  if (!query.q || query.page > 1 || query.after || query.before) return null;
  try {
    const near = await findNearBooks(client, query, total, pageSize);
    return near.books.length > 0 ? near : null;
  } catch (error) {
    logFailure("Failed to find close matches", error);
    return null;
  }
}
