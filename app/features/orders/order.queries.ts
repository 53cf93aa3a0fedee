import type { CoverBook } from "#app/features/book-covers/cover.ts";
import type { CartAddition } from "#app/features/cart/cart-problem.ts";
import {
  findOwnPayments,
  listOrderPayments,
  type OwnPayments,
} from "#app/features/payments/payment.queries.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend/response.ts";
import {
  ORDER_COLUMNS,
  type OrderTexts,
  SHIPMENT_COLUMNS,
  type Shipment,
} from "#shared/orders/order-fields.ts";
import { cedisFromPesewas, inPesewas, type Pesewas } from "#shared/text/money.ts";
import { type OrderStatus, readStatus } from "./order.ts";

/** An order as its customer sees it. */
export type OwnOrder = OrderTexts &
  Shipment & {
    id: string;
    /** The shop's sequential number, for use on the phone. */
    number: number;
    total_amount: Pesewas;
    status: OrderStatus;
    /** Part of the total. */
    delivery_fee: Pesewas;
    /** The terms that applied when it was placed; missing in copies that a browser made before it had them. */
    terms_version?: number | null;
    created_at: string;
    items: OwnOrderItem[];
    payments: OwnPayments | null;
    /** The accepted quote that it came from. */
    quote: {
      id: string;
      reference: string | null;
      purchase_order_number: string | null;
      /** Missing in copies that a browser made before orders had it. */
      delivery_pricing?: string;
    } | null;
    /** What was sent before the rest; missing in copies that a browser made before it had them. */
    shipments?: OwnShipment[];
    /** What is left to send of an order that isn't shipped yet, by title. */
    toSend?: SentCopies[];
    /** What has happened to it, oldest first. */
    timeline: OrderStep[];
  };

export type SentCopies = { order_item_id: string; title: string; copies: number };

type OwnShipment = Shipment & { id: string; sent_at: string; lines: SentCopies[] };

/** 'placed', 'paid' (in full), 'refunded', 'returned' or 'part_shipped' (some copies) or the status that it was given. */
export type OrderStep = { step: string; happened_at: string };

export type OwnOrderItem = {
  id: string;
  quantity: number;
  price: Pesewas;
  /** As it was when ordered. */
  title: string;
  publisher: string | null;
  isbn: string | null;
  /** What the title is: digital ones are downloaded. */
  kind: string;
  /** Null when the book is no longer sold. */
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
  `${ORDER_COLUMNS}${SHIPMENT_COLUMNS}id, number, total_amount, status, delivery_fee, terms_version, created_at, items:order_items(id, quantity, price, title, publisher, isbn, kind, book:books(id, title, publisher, image_url, subject, course))` as const;

/**
 * One of a user's own orders; null when there is none with this id.
 * @throws BackendFailure
 */
export async function findOwnOrder(
  client: BackendClient,
  userId: string,
  orderId: string,
): Promise<OwnOrder | null> {
  const [[row], payments, [quote], timeline, shipments, toSend] = await Promise.all([
    client.from("orders").select(ORDER).eq("id", orderId).eq("user_id", userId).limit(1).then(unwrap),
    findOwnPayments(client, orderId),
    client
      .from("quotes")
      .select("id, reference, purchase_order_number, delivery_pricing")
      .eq("order_id", orderId)
      .eq("user_id", userId)
      .then(unwrap),
    client.rpc("order_timeline", { _order_id: orderId }).then(unwrap),
    client.rpc("list_shipments", { _order_id: orderId }).then(unwrap),
    client.rpc("list_copies_to_send", { _order_ids: [orderId] }).then(unwrap),
  ]);
  if (!row) return null;
  const items = row.items
    .map((item) => inPesewas(item, "price"))
    .toSorted((one, other) => one.title.localeCompare(other.title, "en"));
  return {
    ...inPesewas(inPesewas(row, "total_amount"), "delivery_fee"),
    items,
    status: readStatus(row.status),
    payments,
    quote: quote ?? null,
    shipments: shipments.map((sent) => ({ ...sent, lines: sent.lines as SentCopies[] })),
    toSend,
    timeline,
  };
}

type NewOrder = OrderTexts & {
  /** Created by the client and reused for retries, so that the order is placed only once. */
  id: string;
  user_id: string;
  total_amount: Pesewas;
  status: "pending";
  delivery_fee: Pesewas;
};

/**
 * Places an order: the database turns the user's cart into its items, takes the stock and empties the cart, or refuses
 * the whole order.
 * @throws BackendFailure, with code 23505 when an order with this id already exists
 */
export async function createOrder(client: BackendClient, order: NewOrder): Promise<void> {
  unwrapWritten(
    await client
      .from("orders")
      .insert({
        ...order,
        total_amount: cedisFromPesewas(order.total_amount),
        delivery_fee: cedisFromPesewas(order.delivery_fee),
      })
      .select("id"),
  );
}

/** @throws BackendFailure, also when the order can no longer be cancelled */
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

/** A title that was ordered again: its copies, and a problem unless all were added to the cart. */
export type AddedTitle = CartAddition & { title: string };

/**
 * Puts the books of a user's own order into the cart again, as far as the cart allows. A call that is repeated with the
 * same `requestId` adds nothing and returns the same.
 * @throws BackendFailure
 */
export async function orderAgain(
  client: BackendClient,
  orderId: string,
  requestId: string,
): Promise<AddedTitle[]> {
  return unwrap(await client.rpc("order_again", { _order_id: orderId, _request_id: requestId }));
}

export type OwnOrderSummary = Pick<OwnOrder, "id" | "number" | "total_amount" | "status" | "created_at"> & {
  titles: number;
  copies: number;
  hasDownloads: boolean;
  /** Whether copies were sent before the rest, which is still to come; missing in copies that a browser made before it had it. */
  isPartSent?: boolean;
  /** The first three by title, with what their covers show. */
  firstTitles: CoverBook[];
  payment: OrderPayment | null;
};

/** PostgREST's code for a page beyond the last row. */
const OUT_OF_RANGE = "PGRST103";

/**
 * A page of a user's own orders, newest first, and their total number; a page beyond the last is empty.
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
  const response = await client
    .from("orders")
    .select("id, number, total_amount, status, created_at", { count: "exact" })
    .eq("user_id", userId)
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .range(from, from + pageSize - 1);
  if (response.error?.code === OUT_OF_RANGE && page > 1) {
    return { orders: [], total: (await listOwnOrders(client, userId, 1, 1)).total };
  }
  const rows = unwrap(response);
  const ids = rows.map(({ id }) => id);
  const [payments, titles, partSent] = await Promise.all([
    listOrderPayments(client, ids),
    listTitles(client, ids),
    listPartSent(client, ids),
  ]);
  const orders = rows.map(({ status, ...order }) => {
    const found = titles.get(order.id);
    return {
      ...inPesewas(order, "total_amount"),
      status: readStatus(status),
      payment: payments.get(order.id) ?? null,
      titles: found?.titles ?? 0,
      copies: found?.copies ?? 0,
      hasDownloads: found?.has_downloads ?? false,
      isPartSent: partSent.includes(order.id),
      firstTitles: (found?.first_titles ?? []) as CoverBook[],
    };
  });
  return { orders, total: response.count ?? orders.length };
}

async function listPartSent(client: BackendClient, orderIds: string[]): Promise<string[]> {
  return orderIds.length === 0 ? [] : unwrap(await client.rpc("list_part_sent", { _order_ids: orderIds }));
}

/** An order of hundreds of titles is listed by three of them: the data API can't limit embedded rows. */
async function listTitles(client: BackendClient, orderIds: string[]) {
  if (orderIds.length === 0) return new Map();
  const rows = unwrap(await client.rpc("list_order_titles", { _order_ids: orderIds }));
  return new Map(rows.map((row) => [row.order_id, row]));
}
