import type { BackendClient } from "#app/lib/backend-client.ts";
import { type Role, readRole } from "./role.ts";

/**
 * The role of a person, by the database's own answer. A caller learns his own role, an admin anybody's.
 * @throws the backend's error when it does not answer
 */
export async function findRole(backend: BackendClient, userId: string): Promise<Role> {
  const { data, error } = await backend.rpc("get_user_role", { _user_id: userId });
  if (error) throw error;
  return readRole(data);
}
