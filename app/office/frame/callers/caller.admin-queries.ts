import { PROFILE_COLUMNS } from "#app/features/account/profile.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";

/**
 * Up to 8 accounts whose name, email or phone contains this text, with where their last order went.
 * @throws BackendFailure
 */
export async function findCallers(client: BackendClient, q: string) {
  const rows = unwrap(await client.rpc("admin_list_users", { _q: q, _page_size: 8 }));
  const ids = rows.map(({ id }) => id);
  const profiles = unwrap(await client.from("profiles").select(`id,${PROFILE_COLUMNS}`).in("id", ids));
  const byId = new Map(profiles.map(({ id, ...profile }) => [id, profile]));
  return rows.flatMap(({ id }) => {
    const profile = byId.get(id);
    return profile ? [{ id, ...profile }] : [];
  });
}

export type Caller = Awaited<ReturnType<typeof findCallers>>[number];
