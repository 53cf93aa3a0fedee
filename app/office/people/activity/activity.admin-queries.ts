import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { LIST_PAGE_SIZE, type ListQuery } from "#app/lib/react/list-state.ts";
import { orderLabel } from "#app/office/frame/order-number.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { type ActivityEntry, type LoggedRow, moneyFields, type Names } from "./activity.ts";
import { listPeopleNames } from "./people.admin-queries.ts";

export const ACTIVITY_SORT_KEYS = ["happened_at"] as const;
type ActivitySortKey = (typeof ACTIVITY_SORT_KEYS)[number];

export type ActivityQuery = ListQuery<ActivitySortKey> & {
  /** A table's name, or empty for all. */
  table: string;
  /** A user's id, or empty for everyone. */
  actor: string;
};

const NAMELESS = "Not provided";
const DELETED_USER = "Deleted user";

/**
 * One page of the audit log, newest first by default, with the exact number of matching entries and the names behind the
 * ids in them. `q` searches row ids, titles, order numbers, and the names and emails of the actor and of the user whose
 * role was changed.
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
      actor: row.actor ? { id: row.actor, name: row.actor_name || row.actor_email || DELETED_USER } : null,
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
  if (typeof row !== "object" || row === null || Array.isArray(row)) return null;
  const isAmount = (field: string, value: unknown) => moneyFields.has(field) && typeof value === "number";
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      isAmount(field, value) ? pesewasFromCedis(value as number) : value,
    ]),
  );
}

async function findNames(client: BackendClient, entries: readonly ActivityEntry[]): Promise<Names> {
  const idsOf = (field: string) => {
    const ids = entries.flatMap(({ before, after }) => [before?.[field], after?.[field]]);
    return [...new Set(ids.filter((id) => typeof id === "string"))];
  };
  const [people, books, orders] = await Promise.all([
    listPeopleNames(client, idsOf("user_id"), NAMELESS),
    listTitlesByIds(client, idsOf("book_id")),
    listOrdersByIds(client, idsOf("order_id")),
  ]);
  return new Map([...people, ...books, ...orders]);
}

async function listTitlesByIds(client: BackendClient, ids: string[]): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const response = await client.from("books").select("id, title").in("id", ids);
  return unwrap(response).map(({ id, title }) => [id, title]);
}

async function listOrdersByIds(client: BackendClient, ids: string[]): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const response = await client.from("orders").select("id, number").in("id", ids);
  return unwrap(response).map((order) => [order.id, orderLabel(order)]);
}

/** Limit of the filter's choices; there are few admins. */
const MAX_ADMINS = 100;

/**
 * The choices of the person filter: the admins by name, and the selected person, who may be a customer.
 * @param actor the selected person's id, or empty
 * @throws BackendFailure
 */
export async function listActivityPeople(client: BackendClient, actor: string) {
  const admins = await client
    .rpc("admin_list_users", {
      _role: "admin",
      _sort: "full_name",
      _descending: false,
      _page_size: MAX_ADMINS,
    })
    .then(unwrap);
  const people = admins.map(({ id, full_name, email }) => ({
    id,
    name: full_name || email || NAMELESS,
  }));
  if (actor === "" || people.some(({ id }) => id === actor)) return people;
  const names = await listPeopleNames(client, [actor], NAMELESS);
  return [...people, { id: actor, name: names.get(actor) ?? DELETED_USER }];
}

type Restorable = Pick<ActivityEntry, "id" | "table" | "rowId" | "action">;

/**
 * Undoes a deletion in the log: restores a book with its reviews, an order with its lines and stock, a review or a publisher;
 * or a change to an order's lines.
 * @throws BackendFailure, with one of the codes `not_in_archive`, `not_last_deletion`, `already_restored`, `cannot_restore`, `name_taken`,
 *   `insufficient_stock`, `not_last_change`, `order_not_open`, or 23503 when the order's customer no longer exists
 */
export async function restoreEntry(
  client: BackendClient,
  { id, table, rowId, action }: Restorable,
): Promise<void> {
  if (action === "change") unwrapDone(await client.rpc("undo_order_change", { _audit_id: id }));
  else if (table === "orders") unwrap(await client.rpc("restore_order", { _order_id: rowId }));
  else if (table === "reviews") unwrap(await client.rpc("restore_review", { _audit_id: id }));
  else if (table === "publishers") unwrap(await client.rpc("restore_publisher", { _audit_id: id }));
  else unwrap(await client.rpc("restore_book", { _audit_id: id }));
}
