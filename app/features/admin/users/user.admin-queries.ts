import { pagingArguments } from "#app/features/admin/paging.ts";
import { type Role, readRole } from "#app/features/session/role.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend-failure.ts";
import type { ListQuery } from "#app/lib/list-state.ts";

export const USER_SORT_KEYS = ["full_name", "email", "created_at"] as const;
export type UserSortKey = (typeof USER_SORT_KEYS)[number];

export type UserListQuery = ListQuery<UserSortKey> & { role: string };

export type UserRow = {
  id: string;
  fullName: string | null;
  email: string | null;
  role: Role;
  joinedAt: string;
};

/**
 * One page of accounts with their roles, newest first unless sorted otherwise, and the exact number of all that match.
 * `q` looks through name, e-mail and phone; an empty `role` means all.
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
 * Gives a role. One insert: the database takes the person's other roles away in the same statement, because an admin
 * who first deleted his own would have lost the right to insert.
 * @throws BackendFailure, with the code `last_admin` when nobody else is an admin
 */
export async function updateUserRole(client: BackendClient, userId: string, role: Role): Promise<void> {
  unwrapWritten(await client.from("user_roles").insert({ user_id: userId, role }).select("id"));
}
