import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";

export const ROLES = ["user", "moderator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** A stored role as one of the three; without an entry it is `user`. */
export function readRole(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "user";
}

/**
 * A user's role, as the database reports it. Users can read their own role, admins anyone's.
 * @throws BackendFailure
 */
export async function findRole(backend: BackendClient, userId: string): Promise<Role> {
  return readRole(unwrap(await backend.rpc("get_user_role", { _user_id: userId })));
}
