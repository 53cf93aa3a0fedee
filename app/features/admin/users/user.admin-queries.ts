import { pagingArguments } from "#app/features/admin/paging.ts";
import { type Role, readRole } from "#app/features/session/role.queries.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend-response.ts";
import type { ListQuery } from "#app/lib/list-state.ts";

export const USER_SORT_KEYS = ["full_name", "email", "created_at"] as const;
type UserSortKey = (typeof USER_SORT_KEYS)[number];

type UserListQuery = ListQuery<UserSortKey> & { role: string };

export type UserRow = {
  id: string;
  fullName: string | null;
  email: string | null;
  role: Role;
  joinedAt: string;
};

/**
 * One page of accounts with their roles, newest first by default, and the exact number of all matches. `q` searches name,
 * email and phone; an empty `role` means all.
 * @throws BackendFailure
 */
export async function listUsers(client: BackendClient, query: UserListQuery) {
  const filters = { _q: query.q || undefined, _role: query.role || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_users", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_users", filters).then(unwrap),
  ]);
  return {
    total,
    rows: rows.map(
      (row): UserRow => ({
        id: row.id,
        fullName: row.full_name,
        email: row.email,
        role: readRole(row.role),
        joinedAt: row.created_at,
      }),
    ),
  };
}

/**
 * Changes a role with one insert. The database removes the user's other roles in the same statement, because an admin who
 * deleted their own role first would no longer be allowed to insert.
 * @throws BackendFailure, with the code `last_admin` when there is no other admin
 */
export async function updateUserRole(client: BackendClient, userId: string, role: Role): Promise<void> {
  unwrapWritten(await client.from("user_roles").insert({ user_id: userId, role }).select("id"));
}
