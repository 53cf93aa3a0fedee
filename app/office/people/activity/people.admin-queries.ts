import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";

/**
 * Users' names, or their emails, by id; deleted users are left out.
 * @param nameless shown for a user without either
 * @throws BackendFailure
 */
export async function listPeopleNames(
  client: BackendClient,
  ids: readonly string[],
  nameless: string,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const response = await client
    .from("profiles")
    .select("id, full_name, email")
    .in("id", [...new Set(ids)]);
  return new Map(unwrap(response).map(({ id, full_name, email }) => [id, full_name || email || nameless]));
}
