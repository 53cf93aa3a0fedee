import { pagingArguments } from "#app/features/admin/paging.ts";
import { isOrderId, type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend-failure.ts";
import type { ListQuery } from "#app/lib/list-state.ts";

export const ORDER_SORT_KEYS = ["created_at", "total_amount", "status"] as const;
export type OrderSortKey = (typeof ORDER_SORT_KEYS)[number];

export type OrderListQuery = ListQuery<OrderSortKey> & { status: string };

/** How many of the newest orders are read to find out which are new. */
export const RECENT_ORDERS = 20;

type ListedOrder = {
  id: string;
  total_amount: number;
  status: string;
  created_at: string;
  customer_name: string | null;
  customer_email: string | null;
};

/** An order in a list of the back office. `totalCedis` as the database gives it. */
export type OrderRow = {
  id: string;
  totalCedis: number;
  status: OrderStatus;
  placedAt: string;
  customerName: string | null;
  customerEmail: string | null;
};

/**
 * One page of orders, newest first unless sorted otherwise, and the exact number of all that match. `q` looks through
 * the order's number in either form and the name, e-mail and phone of customer and recipient.
 * @throws BackendFailure
 */
export async function listOrders(client: BackendClient, query: OrderListQuery) {
  const filters = { _q: query.q || undefined, _status: query.status || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_orders", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_orders", filters).then(unwrap),
  ]);
  return { rows: rows.map(orderRow), total };
}

/**
 * The newest orders, the latest first.
 * @throws BackendFailure
 */
export async function listRecentOrders(client: BackendClient): Promise<OrderRow[]> {
  return unwrap(await client.rpc("admin_list_orders", { _page_size: RECENT_ORDERS })).map(orderRow);
}

function orderRow(order: ListedOrder): OrderRow {
  return {
    id: order.id,
    totalCedis: order.total_amount,
    status: readStatus(order.status),
    placedAt: order.created_at,
    customerName: order.customer_name,
    customerEmail: order.customer_email,
  };
}

const details = `
  id, total_amount, status, shipping_address, recipient_name, recipient_email, recipient_phone, stock_held, created_at,
  profiles(full_name, email, phone),
  order_items(id, quantity, price, title, publisher, isbn, books(title, publisher))
` as const;

/**
 * An order with its customer, recipient, lines and the history of its status; null when it is gone.
 * @throws BackendFailure
 */
export async function findOrderDetails(client: BackendClient, id: string) {
  if (!isOrderId(id)) return null;
  const [orders, events] = await Promise.all([
    client.from("orders").select(details).eq("id", id).then(unwrap),
    client
      .from("order_events")
      .select("id, from_status, to_status, actor, created_at")
      .eq("order_id", id)
      .order("id")
      .then(unwrap),
  ]);
  const [order] = orders;
  if (!order) return null;
  const actors = await listActors(
    client,
    events.flatMap(({ actor }) => actor ?? []),
  );
  return {
    ...order,
    status: readStatus(order.status),
    order_items: order.order_items.toSorted((one, other) => one.title.localeCompare(other.title, "en-GB")),
    events: events.map((event) => ({ ...event, by: event.actor ? (actors.get(event.actor) ?? null) : null })),
  };
}

export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrderDetails>>>;

/** Names of the people behind some ids, or their e-mails; who is gone is left out. */
async function listActors(client: BackendClient, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const answer = await client
    .from("profiles")
    .select("id, full_name, email")
    .in("id", [...new Set(ids)]);
  return new Map(unwrap(answer).map(({ id, full_name, email }) => [id, full_name || email || "Unknown"]));
}

/**
 * Sets any status from any other.
 * @throws BackendFailure, with the code `insufficient_stock` when a cancelled order's copies are not there any more
 */
export async function updateOrderStatus(
  client: BackendClient,
  id: string,
  status: OrderStatus,
): Promise<void> {
  unwrapWritten(await client.from("orders").update({ status }).eq("id", id).select("id"));
}

/**
 * Deletes an order; its lines go with it, and its copies back into the stock unless it was shipped.
 * @throws BackendFailure
 */
export async function removeOrder(client: BackendClient, id: string): Promise<void> {
  unwrapWritten(await client.from("orders").delete().eq("id", id).select("id"));
}

/**
 * Brings a deleted order back with its lines, and takes its copies again.
 * @throws BackendFailure, with the code `insufficient_stock` when they are not there any more
 */
export async function restoreOrder(client: BackendClient, id: string): Promise<void> {
  unwrap(await client.rpc("restore_order", { _order_id: id }));
}

/**
 * Puts the copies of a shipped, delivered or cancelled order back into the stock, once.
 * @throws BackendFailure, with the code `nothing_to_return` when they are there already
 */
export async function returnToStock(client: BackendClient, id: string): Promise<void> {
  const { error, status } = await client.rpc("return_to_stock", { _order_id: id });
  unwrap({ data: true, error, status });
}
