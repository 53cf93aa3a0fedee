import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend-failure.ts";
import { type OrderStatus, readStatus } from "./order.ts";

/** An order as its customer reads it. Amounts are in cedis, as the database gives them. */
export type OwnOrder = {
  id: string;
  total_amount: number;
  status: OrderStatus;
  shipping_address: string | null;
  recipient_name: string | null;
  recipient_email: string | null;
  recipient_phone: string | null;
  created_at: string;
  items: OwnOrderItem[];
};

export type OwnOrderItem = {
  id: string;
  quantity: number;
  price: number;
  /** What the book was called when it was ordered. */
  title: string;
  publisher: string | null;
  isbn: string | null;
  /** Null when the book is not sold any more. */
  book: {
    id: string;
    title: string;
    publisher: string | null;
    image_url: string | null;
    subject: string | null;
    course: string | null;
  } | null;
};

const ORDER =
  "id, total_amount, status, shipping_address, recipient_name, recipient_email, recipient_phone, created_at, items:order_items(id, quantity, price, title, publisher, isbn, book:books(id, title, publisher, image_url, subject, course))";

/**
 * One of a person's own orders; null when there is none with this id.
 * @throws BackendFailure
 */
export async function findOwnOrder(
  client: BackendClient,
  userId: string,
  orderId: string,
): Promise<OwnOrder | null> {
  const [row] = unwrap(
    await client.from("orders").select(ORDER).eq("id", orderId).eq("user_id", userId).limit(1),
  );
  if (!row) return null;
  const items = row.items.toSorted((one, other) => one.title.localeCompare(other.title, "en"));
  return { ...row, items, status: readStatus(row.status) };
}

export type NewOrder = {
  /** Made by the client and kept for retries: the same id is never placed twice. */
  id: string;
  user_id: string;
  total_amount: number;
  status: "pending";
  shipping_address: string;
  recipient_name: string;
  recipient_email: string;
  recipient_phone: string;
};

/**
 * Places an order: the database turns the person's cart into its items, takes the stock and empties the cart, or
 * refuses all of it.
 * @throws BackendFailure, with code 23505 when an order with this id was placed before
 */
export async function createOrder(client: BackendClient, order: NewOrder): Promise<void> {
  unwrapWritten(await client.from("orders").insert(order).select("id"));
}

/** @throws BackendFailure, also when the order cannot be cancelled any more */
export async function cancelOrder(client: BackendClient, userId: string, orderId: string): Promise<void> {
  unwrapWritten(
    await client
      .from("orders")
      .update({ status: "cancelled" })
      .eq("id", orderId)
      .eq("user_id", userId)
      .select("id"),
  );
}

export type OwnOrderSummary = Pick<OwnOrder, "id" | "total_amount" | "status" | "created_at"> & {
  copies: number;
};

/** The data API's code for a page that begins behind the last row. */
const BEHIND_THE_END = "PGRST103";

/**
 * A page of a person's own orders, the newest first, and how many there are; a page behind the last one is empty.
 * @param page from 1
 * @throws BackendFailure
 */
export async function listOwnOrders(
  client: BackendClient,
  userId: string,
  page: number,
  pageSize: number,
): Promise<{ orders: OwnOrderSummary[]; total: number }> {
  const from = (page - 1) * pageSize;
  const answer = await client
    .from("orders")
    .select("id, total_amount, status, created_at, items:order_items(quantity)", { count: "exact" })
    .eq("user_id", userId)
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .range(from, from + pageSize - 1);
  if (answer.error?.code === BEHIND_THE_END && page > 1) {
    return { orders: [], total: (await listOwnOrders(client, userId, 1, 1)).total };
  }
  const orders = unwrap(answer).map(({ items, status, ...order }) => ({
    ...order,
    status: readStatus(status),
    copies: items.reduce((sum, { quantity }) => sum + quantity, 0),
  }));
  return { orders, total: answer.count ?? orders.length };
}
