import type { DocumentOrder, Invoice } from "#app/features/documents/document.ts";
import { issueInvoice } from "#app/features/documents/invoice.queries.ts";
import { isOpen, readStatus } from "#app/features/orders/order.ts";
import { listOrderPayments } from "#app/features/payments/payment.queries.ts";
import type { OrderPayment } from "#app/features/payments/payment.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { ORDER_COLUMNS } from "#shared/orders/order-fields.ts";
import { inPesewas } from "#shared/text/money.ts";
import { lastParcel, type StaffDocument } from "./staff-documents.ts";

/** With its book's shelf place; null also if the book was deleted. */
type PrintedItem = DocumentOrder["items"][number] & { shelf: string | null };

/** `invoice` is null for other documents, and for a cancelled order that has none. */
export type PrintedOrder = {
  order: Omit<DocumentOrder, "items"> & { items: readonly PrintedItem[] };
  invoice: Invoice | null;
  payment: OrderPayment | null;
};

const columns = `
  ${ORDER_COLUMNS} id, number, status, total_amount, created_at, delivery_fee, terms_version, profiles(full_name, email, phone),
  items:order_items(id, quantity, price, title, publisher, isbn, kind, books(shelf))
` as const;

/**
 * The content of these orders' documents, in the given order, without those that no longer exist. An invoice gets its
 * number here. The parcel of an open order is what is left to send of it, that of one that left in several parcels the last.
 * @param shipment the id of one of the order's shipments, whose parcel is meant instead
 * @throws BackendFailure
 */
export async function listPrintedOrders(
  client: BackendClient,
  ids: readonly string[],
  kind: StaffDocument,
  shipment: string | null = null,
): Promise<PrintedOrder[]> {
  const [rows, quotes, payments, parcels, earlier] = await Promise.all([
    client.from("orders").select(columns).in("id", ids).then(unwrap),
    client
      .from("quotes")
      .select("order_id, purchase_order_number, delivery_pricing")
      .in("order_id", ids)
      .then(unwrap),
    listOrderPayments(client, ids),
    readParcels(client, ids, shipment),
    readEarlierParcels(client, ids),
  ]);
  const printed: PrintedOrder[] = [];
  for (const { profiles: customer, items, ...row } of rows.toSorted(
    (one, other) => ids.indexOf(one.id) - ids.indexOf(other.id),
  )) {
    const order = {
      ...inPesewas(inPesewas(row, "total_amount"), "delivery_fee"),
      status: readStatus(row.status),
      recipient_name: row.recipient_name || customer?.full_name || null,
      recipient_phone: row.recipient_phone || customer?.phone || null,
      items: items
        .map(({ books: book, ...item }) => ({
          ...inPesewas(item, "price"),
          shelf: book?.shelf ?? null,
        }))
        .toSorted((one, other) => one.title.localeCompare(other.title, "en-GB")),
      quote: quotes.find(({ order_id }) => order_id === row.id) ?? null,
      parcel:
        shipment || isOpen(row)
          ? (parcels.get(row.id) ?? {})
          : lastParcel(items, row.status === "cancelled" ? undefined : earlier.get(row.id)),
    };
    printed.push({
      order,
      invoice: kind === "invoice" ? await issueInvoice(client, row.id) : null,
      payment: payments.get(row.id) ?? null,
    });
  }
  return printed;
}

/** The copies that each order's parcel holds, by its id: what is left to send, or one shipment of the one order. */
async function readParcels(client: BackendClient, ids: readonly string[], shipment: string | null) {
  const [only = ""] = ids;
  const copies = shipment
    ? unwrap(
        await client.from("order_shipment_lines").select("order_item_id, copies").eq("shipment_id", shipment),
      ).map((line) => ({ ...line, order_id: only }))
    : unwrap(await client.rpc("list_copies_to_send", { _order_ids: [...ids] }));
  return sumParcels(copies);
}

/** What left of each order before its last parcel. */
async function readEarlierParcels(client: BackendClient, ids: readonly string[]) {
  const shipments = await client
    .from("order_shipments")
    .select("order_id, lines:order_shipment_lines(order_item_id, copies)")
    .in("order_id", ids)
    .is("undone_at", null)
    .is("closing_event", null)
    .then(unwrap);
  return sumParcels(shipments.flatMap(({ order_id, lines }) => lines.map((line) => ({ ...line, order_id }))));
}

/** The copies of each line, by its id, by order. */
function sumParcels(lines: readonly { order_id: string; order_item_id: string; copies: number }[]) {
  const parcels = new Map<string, Record<string, number>>();
  for (const { order_id, order_item_id, copies } of lines) {
    const parcel = parcels.get(order_id) ?? {};
    parcels.set(order_id, { ...parcel, [order_item_id]: (parcel[order_item_id] ?? 0) + copies });
  }
  return parcels;
}
