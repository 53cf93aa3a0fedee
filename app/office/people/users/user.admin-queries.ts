import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import { type Role, readRole } from "#app/features/session/role.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";

export const USER_SORT_KEYS = ["full_name", "email", "created_at"] as const;
type UserSortKey = (typeof USER_SORT_KEYS)[number];

type UserListQuery = ListQuery<UserSortKey> & { role: string };

export type UserRow = {
  id: string;
  fullName: string | null;
  email: string | null;
  phone: string | null;
  role: Role;
  /** Assigned by an admin, without those of the role. */
  duties: readonly Duty[];
  joinedAt: string;
  /** Only admins receive it. */
  hasSecondStep: boolean;
};

/**
 * One page of accounts with their roles, newest first by default, and the exact number of all matches. `q` searches name,
 * email and phone; an empty `role` means all, `duties` those who were given some.
 * @throws BackendFailure
 */
export async function listUsers(client: BackendClient, query: UserListQuery, isAdmin = false) {
  const filters = { _q: query.q || undefined, _role: query.role || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_users", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_users", filters).then(unwrap),
  ]);
  const ids = rows.map(({ id }) => id);
  const [given, secondSteps] = await Promise.all([
    listDuties(client, ids),
    isAdmin ? client.rpc("people_with_second_step", { _ids: ids }).then(unwrap) : ([] as string[]),
  ]);
  return {
    total,
    rows: rows.map(
      (row): UserRow => ({
        id: row.id,
        fullName: row.full_name,
        email: row.email,
        phone: row.phone,
        role: readRole(row.role),
        duties: given.get(row.id) ?? [],
        joinedAt: row.created_at,
        hasSecondStep: secondSteps.includes(row.id),
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

/** The duties of these people, in the order of the list of all. */
async function listDuties(client: BackendClient, ids: string[]): Promise<Map<string, Duty[]>> {
  if (ids.length === 0) return new Map();
  const rows = unwrap(await client.from("staff_duties").select("user_id, duty").in("user_id", ids));
  const given = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map(
    [...given].map(([id, own]) => [id, DUTIES.filter((duty) => own.some((row) => row.duty === duty))]),
  );
}

/**
 * Gives a person duties and takes others away; duties in neither list stay, because another admin may be changing
 * them.
 * @throws BackendFailure, with the code `unconfirmed_account` or `has_all_duties`
 */
export async function changeDuties(
  client: BackendClient,
  userId: string,
  { give, take }: { give: Duty[]; take: Duty[] },
): Promise<void> {
  unwrap(await client.rpc("change_duties", { _user_id: userId, _give: give, _take: take }));
}

/** Removes a person's second step, for a lost phone, and signs them out everywhere; an email tells them. */
export async function removeSecondStep(client: BackendClient, userId: string): Promise<void> {
  unwrap(await client.rpc("remove_second_step", { _user_id: userId }));
}
