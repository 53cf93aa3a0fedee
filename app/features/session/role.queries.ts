import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";
import { type Role, readRole } from "./role.ts";

/**
 * A user's role, as the database reports it. Users can read their own role, admins anyone's.
 * @throws BackendFailure
 */
export async function findRole(backend: BackendClient, userId: string): Promise<Role> {
  return readRole(unwrap(await backend.rpc("get_user_role", { _user_id: userId })));
}
