import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-failure.ts";
import type { Json } from "#app/lib/database.types.ts";
import { LIST_PAGE_SIZE, type ListQuery } from "#app/lib/list-state.ts";
import type { ActivityEntry, LoggedRow, Names } from "./activity.ts";

export const ACTIVITY_SORT_KEYS = ["happened_at"] as const;
export type ActivitySortKey = (typeof ACTIVITY_SORT_KEYS)[number];

export type ActivityQuery = ListQuery<ActivitySortKey> & {
  /** A table's name, or empty for all. */
  table: string;
  /** A person's id, or empty for everyone. */
  actor: string;
};

/**
 * One page of the audit log, newest first unless sorted otherwise, the exact number of entries that match, and the names of
 * what they mention by id. `q` looks for a row's id and through the names and e-mails of who did it.
 * @throws BackendFailure
 */
export async function listActivity(client: BackendClient, { q, table, actor, page, sort }: ActivityQuery) {
  const filters = { _q: q || undefined, _table_name: table || undefined, _actor: actor || undefined };
  const [logged, total] = await Promise.all([
    client
      .rpc("admin_list_audit", {
        ...filters,
        _descending: sort.descending,
        _page: page,
        _page_size: LIST_PAGE_SIZE,
      })
      .then(unwrap),
    client.rpc("admin_count_audit", filters).then(unwrap),
  ]);
  const rows = logged.map(
    (row): ActivityEntry => ({
      id: row.id,
      happenedAt: row.happened_at,
      actor: row.actor
        ? { id: row.actor, name: row.actor_name || row.actor_email || "A person who is gone" }
        : null,
      table: row.table_name,
      rowId: row.row_id,
      action: row.action,
      before: readLoggedRow(row.before),
      after: readLoggedRow(row.after),
      restorable: row.restorable,
    }),
  );
  return { rows, total, names: await findNames(client, rows) };
}

function readLoggedRow(row: Json): LoggedRow | null {
  return typeof row === "object" && row !== null && !Array.isArray(row) ? row : null;
}

async function findNames(client: BackendClient, entries: readonly ActivityEntry[]): Promise<Names> {
  const idsOf = (field: string) => {
    const ids = entries.flatMap(({ before, after }) => [before?.[field], after?.[field]]);
    return [...new Set(ids.filter((id) => typeof id === "string"))];
  };
  const [people, books] = await Promise.all([
    listPeopleByIds(client, idsOf("user_id")),
    listTitlesByIds(client, idsOf("book_id")),
  ]);
  return new Map([...people, ...books]);
}

/** Names of people, or their e-mails, by id; who is gone is left out. */
async function listPeopleByIds(client: BackendClient, ids: string[]): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const answer = await client.from("profiles").select("id, full_name, email").in("id", ids);
  return unwrap(answer).map(({ id, full_name, email }) => [id, full_name || email || "Not provided"]);
}

async function listTitlesByIds(client: BackendClient, ids: string[]): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const answer = await client.from("books").select("id, title").in("id", ids);
  return unwrap(answer).map(({ id, title }) => [id, title]);
}

/** Admins offered as a choice; there are few. */
const MOST_ADMINS = 100;

/**
 * Whose activity can be chosen: the admins by name, and the person chosen already, who may be a customer.
 * @param actor that person's id, or empty
 * @throws BackendFailure
 */
export async function listActivityPeople(client: BackendClient, actor: string) {
  const admins = await client
    .rpc("admin_list_users", {
      _role: "admin",
      _sort: "full_name",
      _descending: false,
      _page_size: MOST_ADMINS,
    })
    .then(unwrap);
  const people = admins.map(({ id, full_name, email }) => ({
    id,
    name: full_name || email || "Not provided",
  }));
  if (actor === "" || people.some(({ id }) => id === actor)) return people;
  const [[id, name] = [actor, "A person who is gone"]] = await listPeopleByIds(client, [actor]);
  return [...people, { id, name }];
}

/** What can be brought back from the log. */
export type Restorable = Pick<ActivityEntry, "id" | "table" | "rowId">;

/**
 * Brings back what an entry of the log deleted: a book with its reviews, an order with its lines and copies, a review.
 * @throws BackendFailure, with one of the codes `not_in_archive`, `not_last_deletion`, `already_restored`, `cannot_restore`,
 *   `insufficient_stock`, or 23503 when the order's customer is gone
 */
export async function restoreEntry(client: BackendClient, { id, table, rowId }: Restorable): Promise<void> {
  if (table === "orders") unwrap(await client.rpc("restore_order", { _order_id: rowId }));
  else if (table === "reviews") unwrap(await client.rpc("restore_review", { _audit_id: id }));
  else unwrap(await client.rpc("restore_book", { _audit_id: id }));
}
