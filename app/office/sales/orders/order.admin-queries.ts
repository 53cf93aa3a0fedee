import { type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { failureFrom, unwrap, unwrapDone, unwrapWritten } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";
import type { Database } from "#shared/calls/database.types.ts";
import {
  ORDER_COLUMNS,
  type OrderTexts,
  SHIPMENT_COLUMNS,
  type Shipment,
} from "#shared/orders/order-fields.ts";
import { cedisFromPesewas, inPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";

export const ORDER_SORT_KEYS = ["created_at", "total_amount", "status"] as const;
type OrderSortKey = (typeof ORDER_SORT_KEYS)[number];

/** Filters that are empty or missing are off. */
type OrderListQuery = ListQuery<OrderSortKey> & {
  status: string;
  method?: string;
  region?: string;
  payment?: string;
};

/** How many of the newest orders are read to detect new ones. */
export const RECENT_ORDERS = 20;

/**
 * One page of orders, newest first by default, and the exact number of all matches. `q` searches the order's number and
 * id, the name, email and phone of customer and recipient, and the customer's
 * reference.
 * @throws BackendFailure
 */
export async function listOrders(client: BackendClient, query: OrderListQuery) {
  const filters = {
    _q: query.q || undefined,
    _status: query.status || undefined,
    _method: query.method || undefined,
    _region: query.region || undefined,
    _payment: query.payment || undefined,
  };
  const [rows, total] = await Promise.all([
    readOrders(client, { ...filters, ...pagingArguments(query) }),
    client.rpc("admin_count_orders", filters).then(unwrap),
  ]);
  return { rows, total };
}

/**
 * The newest orders, newest first.
 * @throws BackendFailure
 */
export async function listRecentOrders(client: BackendClient): Promise<OrderRow[]> {
  return readOrders(client, { _page_size: RECENT_ORDERS });
}

const listed = `
  ${ORDER_COLUMNS} ${SHIPMENT_COLUMNS} id, number, user_id, total_amount, status, delivery_fee, stock_held, payment_state, paid_amount, owed_back, kept_amount, returned_amount, created_at, profiles(full_name, email, phone), shipments:order_shipments(undone_at, created_at, carrier, parcel_number, lines:order_shipment_lines(copies))
` as const;

/**
 * Orders as lists and exports show them, with their customers; a caller without an account is the recipient.
 * @throws BackendFailure
 */
export async function readOrders(
  client: BackendClient,
  query: Database["public"]["Functions"]["admin_list_orders"]["Args"],
) {
  const orders = unwrap(await client.rpc("admin_list_orders", query).select(listed));
  return orders.map(({ profiles, ...order }) => ({
    ...inPesewas(inPesewas(inPesewas(orderRow(order), "owed_back"), "kept_amount"), "returned_amount"),
    customer_name: order.user_id === null ? order.recipient_name : (profiles?.full_name ?? null),
    customer_email: order.user_id === null ? order.recipient_email : (profiles?.email ?? null),
    customer_phone: order.user_id === null ? order.recipient_phone : (profiles?.phone ?? null),
  }));
}

type Amounts = { total_amount: number; delivery_fee: number; paid_amount: number };

function orderRow<Listed extends Amounts & { status: string }>(order: Listed) {
  const amounts = inPesewas(inPesewas(inPesewas(order, "total_amount"), "delivery_fee"), "paid_amount");
  return { ...amounts, status: readStatus(order.status) };
}

export type OrderRow = Awaited<ReturnType<typeof listOrders>>["rows"][number];

const details = `
  ${ORDER_COLUMNS} ${SHIPMENT_COLUMNS} id, number, user_id, total_amount, status, stock_held, paid_amount, created_at, updated_at, delivery_fee, terms_version,
  profiles(full_name, email, phone),
  order_items(id, sold_book_id, quantity, price, title, publisher, isbn, kind, book:books(stock_quantity:for_sale, digital_by))
` as const;

/**
 * An order with its customer, recipient, lines and status history; null when it has been deleted.
 * @param key its id or its number
 * @throws BackendFailure
 */
export async function findOrderDetails(client: BackendClient, key: string) {
  const isNumber = /^\d{1,15}$/.test(key);
  if (!isNumber && !isUuid(key)) return null;
  const [order] = await client
    .from("orders")
    .select(details)
    .eq(isNumber ? "number" : "id", key)
    .then(unwrap);
  if (!order) return null;
  const [events, [quote], notes, returns, toReturn, shipments, toSend, actors] = await Promise.all([
    client
      .from("order_events")
      .select("id, from_status, to_status, actor, created_at")
      .eq("order_id", order.id)
      .order("id")
      .then(unwrap),
    client
      .from("quotes")
      .select("id, reference, purchase_order_number")
      .eq("order_id", order.id)
      .then(unwrap),
    client
      .from("order_notes")
      .select("id, body, actor, created_at")
      .eq("order_id", order.id)
      .order("created_at")
      .then(unwrap),
    client
      .from("order_returns")
      .select(
        "id, reason, note, actor, created_at, undone_at, undone_by, lines:order_return_lines(order_item_id, title, copies, resalable, refund)",
      )
      .eq("order_id", order.id)
      .order("created_at")
      .then(unwrap),
    client.rpc("list_copies_to_return", { _order_id: order.id }).then(unwrap),
    client
      .from("order_shipments")
      .select(
        `${SHIPMENT_COLUMNS} id, actor, created_at, undone_at, undone_by, lines:order_shipment_lines(order_item_id, title, copies)`,
      )
      .eq("order_id", order.id)
      .order("created_at")
      .then(unwrap),
    client.rpc("list_copies_to_send", { _order_ids: [order.id] }).then(unwrap),
    client.rpc("list_order_actors", { _order_id: order.id }).then(unwrap),
  ]);
  const names = new Map(actors.map(({ id, name }) => [id, name || "Unknown"]));
  const nameOf = (actor: string | null) => (actor ? (names.get(actor) ?? null) : null);
  return {
    ...orderRow(order),
    /** The accepted quote that it came from. */
    quote: quote ?? null,
    order_items: order.order_items
      .map((item) => inPesewas(item, "price"))
      .toSorted((one, other) => one.title.localeCompare(other.title, "en-GB")),
    events: events.map((event) => ({ ...event, by: nameOf(event.actor) })),
    /** Staff's own, oldest first; the text of a forgotten customer's is null. */
    notes: notes.map((note) => ({ ...note, by: nameOf(note.actor) })),
    returns: returns.map(({ lines, ...row }) => ({
      ...row,
      lines: lines.map((line) => inPesewas(line, "refund")),
      by: nameOf(row.actor),
      undoneBy: nameOf(row.undone_by),
    })),
    /** The copies that were sent before the rest, with undone shipments. */
    shipments: shipments.map((row) => ({ ...row, by: nameOf(row.actor), undoneBy: nameOf(row.undone_by) })),
    /** The copies of each line that are left to send, by its id; none of an order that isn't open. */
    toSend: new Map(toSend.map(({ order_item_id, copies }) => [order_item_id, copies])),
    /** The copies of each line that can still be returned, by its id. */
    toReturn: new Map(toReturn.map(({ order_item_id, copies }) => [order_item_id, copies])),
  };
}

export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrderDetails>>>;

/**
 * Changes an order's status from the one that was shown. Any change is allowed, but not of an order that the customer
 * or another admin has changed since: a stale list would reopen and ship a cancelled order.
 * @throws BackendFailure, with the code `order_changed`, or `insufficient_stock` when a cancelled order's copies are no
 * longer in stock
 */
export async function updateOrderStatus(
  client: BackendClient,
  { id, status: shown }: Pick<OrderRow, "id" | "status">,
  status: OrderStatus,
): Promise<void> {
  const orders = () => client.from("orders");
  const changed = unwrap(await orders().update({ status }).eq("id", id).eq("status", shown).select("id"));
  if (changed.length > 0) return;
  const current = unwrapWritten(await orders().select("status").eq("id", id));
  throw orderChanged(`This order is now ${current.status}. Check it before you change its status.`);
}

const orderChanged = (message: string) =>
  failureFrom({ code: "PT409", message, details: '{"code":"order_changed"}' }, 409);

type PhoneOrder = {
  /** Created by the client and kept for retries, so that the order is placed only once. */
  orderId: string;
  /** Null for a caller without an account. */
  customerId: string | null;
  lines: readonly { id: string; quantity: number }[];
  /** What the customer was told, delivery included. */
  total: Pesewas;
  texts: OrderTexts;
};

/**
 * Places an order for a customer on the phone.
 * @returns its number
 * @throws BackendFailure, with the code `total_changed` or `insufficient_stock`
 */
export async function placeOrderFor(client: BackendClient, order: PhoneOrder): Promise<{ number: number }> {
  const { orderId, texts, lines } = order;
  unwrap(
    await client.rpc("place_order_for", {
      _order_id: orderId,
      // The generated types don't allow null for arguments.
      _customer_id: order.customerId as string,
      _book_ids: lines.map(({ id }) => id),
      _quantities: lines.map(({ quantity }) => quantity),
      _total: cedisFromPesewas(order.total),
      _order: texts,
    }),
  );
  return unwrapWritten(await client.from("orders").select("number").eq("id", orderId));
}

/**
 * Adds a note that only staff see, once per `noteId`.
 * @throws BackendFailure
 */
export async function addOrderNote(
  client: BackendClient,
  orderId: string,
  noteId: string,
  body: string,
): Promise<void> {
  unwrapDone(await client.rpc("add_order_note", { _note_id: noteId, _order_id: orderId, _body: body }));
}

/**
 * The outcome for one of several orders; `problem` is null if its status was set, `number` is null if it was deleted.
 */
export type StatusOutcome = { id: string; number: number | null; problem: string | null };

/** What a new status may take back of an order: see private.step_back. */
export type StepBack = "reopen" | "set_back" | "cancel_sent" | "cancel_paid";

type StatusChange = {
  /**
   * The shipping details; for an order that is already shipped they replace the stored ones, and the customer gets an
   * email.
   */
  shipment?: Shipment;
  /** Of several orders, those that would take another step back don't change. */
  stepsBack?: readonly StepBack[];
};

/**
 * Sets the status of up to 200 orders, each only if it still has the status that was shown.
 * @throws BackendFailure
 */
export async function setOrderStatuses(
  client: BackendClient,
  orders: readonly Pick<OrderRow, "id" | "status">[],
  status: OrderStatus,
  { shipment, stepsBack = [] }: StatusChange = {},
): Promise<StatusOutcome[]> {
  const outcomes = unwrap(
    await client.rpc("set_order_statuses", {
      _order_ids: orders.map(({ id }) => id),
      _shown: orders.map((order) => order.status),
      _status: status,
      _shipment: shipment,
      _steps_back: [...stepsBack],
    }),
  );
  return outcomes.map(({ order_id, number, problem }) => ({ id: order_id, number, problem }));
}

/** An order to be taken back: its status now, and the one that it had. */
export type StepBackTo = { id: string; status: OrderStatus; former: OrderStatus };

/**
 * Restores the former status of up to 200 orders, and the shipping details from before, even if that reopens or cancels some.
 * @throws BackendFailure
 */
export async function setBackStatuses(
  client: BackendClient,
  orders: readonly StepBackTo[],
): Promise<StatusOutcome[]> {
  const outcomes = unwrap(
    await client.rpc("set_back_statuses", {
      _order_ids: orders.map(({ id }) => id),
      _shown: orders.map(({ status }) => status),
      _statuses: orders.map(({ former }) => former),
    }),
  );
  return outcomes.map(({ order_id, number, problem }) => ({ id: order_id, number, problem }));
}

/** As StatusOutcome, with the status now (null if the order was deleted), the step back, the emails to customers, the copies returned, and what customers would be owed. */
export type TriedOrder = StatusOutcome & {
  status: OrderStatus | null;
  step: StepBack | null;
  emails: number;
  /** Negative: taken from stock. */
  copies: number;
  /** Beyond what is owed already; negative when an order is reopened. */
  owedBack: Pesewas;
};

/**
 * What `setOrderStatuses` would do, without doing it.
 * @throws BackendFailure
 */
export async function tryOrderStatuses(
  client: BackendClient,
  orders: readonly Pick<OrderRow, "id" | "status">[],
  status: OrderStatus,
  stepsBack: readonly StepBack[],
): Promise<TriedOrder[]> {
  const outcomes = unwrap(
    await client.rpc("try_order_statuses", {
      _order_ids: orders.map(({ id }) => id),
      _shown: orders.map((order) => order.status),
      _status: status,
      _steps_back: [...stepsBack],
    }),
  );
  // The generated types know no null among a function's columns.
  return outcomes.map(({ order_id, owed_back, ...tried }) => ({
    id: order_id,
    owedBack: pesewasFromCedis(owed_back ?? 0),
    ...tried,
  })) as TriedOrder[];
}

/**
 * As `setOrderStatuses`, for one order.
 * @throws BackendFailure, with the code `order_changed`
 */
export async function shipOrder(
  client: BackendClient,
  order: Pick<OrderRow, "id" | "status">,
  shipment: Shipment,
): Promise<StatusOutcome[]> {
  const outcomes = await setOrderStatuses(client, [order], "shipped", { shipment });
  if (outcomes[0]?.problem) throw orderChanged(outcomes[0].problem);
  return outcomes;
}

/**
 * What delivery of an order costs with books of this total, by the rule that changes it.
 * @throws BackendFailure
 */
export async function findChangedDeliveryFee(
  client: BackendClient,
  orderId: string,
  booksTotal: Pesewas,
  isDigital: boolean,
): Promise<Pesewas> {
  const values = {
    _order_id: orderId,
    _books_total: cedisFromPesewas(booksTotal),
    _is_digital: isDigital,
  };
  return pesewasFromCedis(unwrap(await client.rpc("find_changed_delivery_fee", values)));
}

/**
 * Sets the books of a pending or processing order, at this total, delivery included.
 * @throws BackendFailure, with the code `order_changed`, `order_not_open`, `total_changed` or `insufficient_stock`
 */
export async function changeOrder(
  client: BackendClient,
  { id, updated_at }: Pick<OrderDetails, "id" | "updated_at">,
  lines: readonly { id: string; quantity: number }[],
  total: Pesewas,
): Promise<void> {
  unwrapDone(
    await client.rpc("change_order", {
      _order_id: id,
      _updated_at: updated_at,
      _book_ids: lines.map((line) => line.id),
      _quantities: lines.map(({ quantity }) => quantity),
      _total: cedisFromPesewas(total),
    }),
  );
}

/**
 * Deletes an order with its lines, and returns its copies to stock unless it was shipped.
 * @throws BackendFailure
 */
export async function removeOrder(client: BackendClient, id: string): Promise<void> {
  unwrapWritten(await client.from("orders").delete().eq("id", id).select("id"));
}

/**
 * Restores a deleted order with its lines, and takes its copies from stock again.
 * @throws BackendFailure, with the code `insufficient_stock` when too few copies are in stock
 */
export async function restoreOrder(client: BackendClient, id: string): Promise<void> {
  unwrap(await client.rpc("restore_order", { _order_id: id }));
}

/** Copies of one line of an order that came back. */
export type ReturnedLine = {
  order_item_id: string;
  copies: number;
  /** Whether they go back to stock; otherwise they are written off. */
  resalable: boolean;
  refund: Pesewas;
};

/** `left` is how many copies could be returned when staff looked: if others have returned some since, it is refused. */
export type LineToReturn = ReturnedLine & { left: number };

type OrderReturn = {
  /** Created by the client and kept for retries, so that the copies are returned only once. */
  id: string;
  lines: readonly LineToReturn[];
  reason: string;
  note: string;
};

/**
 * Returns copies of a shipped, delivered or cancelled order.
 * @throws BackendFailure, with the code `return_outdated` or `nothing_to_return` when someone else has returned some
 */
export async function returnCopies(
  client: BackendClient,
  orderId: string,
  { id, lines, reason, note }: OrderReturn,
): Promise<void> {
  unwrapDone(
    await client.rpc("return_copies", {
      _return_id: id,
      _order_id: orderId,
      _lines: lines.map((line) => ({ ...line, refund: cedisFromPesewas(line.refund) })),
      _reason: reason,
      _note: note,
    }),
  );
}

/**
 * Undoes a return, and takes its copies out of stock again.
 * @throws BackendFailure, with the code `insufficient_stock` when too few copies are in stock
 */
export async function undoReturn(client: BackendClient, id: string): Promise<void> {
  unwrapDone(await client.rpc("undo_return", { _return_id: id }));
}

/** Copies of one line to send; `left` is how many were left when staff looked: if that has changed, it is refused. */
export type LineToSend = { order_item_id: string; copies: number; left: number };

type OrderShipment = {
  /** Created by the client and kept for retries, so that the copies are sent only once. */
  id: string;
  lines: readonly LineToSend[];
  shipment: Shipment;
};

/**
 * Sends copies of a pending or processing order; once nothing is left, the order is shipped.
 * @returns whether nothing is left
 * @throws BackendFailure, with the code `shipment_outdated`, `more_than_left` or `order_not_open` when it has changed
 */
export async function shipCopies(
  client: BackendClient,
  orderId: string,
  { id, lines, shipment }: OrderShipment,
): Promise<boolean> {
  return unwrap(
    await client.rpc("ship_copies", {
      _shipment_id: id,
      _order_id: orderId,
      _lines: [...lines],
      _shipment: shipment,
    }),
  );
}

/**
 * Undoes a shipment, and the status that it gave to its order.
 * @returns when the customer was told of it, which another email then corrects; null if they were not
 * @throws BackendFailure, with the code `order_cancelled` when the order has been cancelled since
 */
export async function undoShipment(client: BackendClient, id: string): Promise<string | null> {
  const response = await client.rpc("undo_shipment", { _shipment_id: id });
  unwrapDone(response);
  return response.data;
}
