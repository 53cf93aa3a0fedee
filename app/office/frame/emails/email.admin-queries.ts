import { type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";

/**
 * The emails about an order, oldest first.
 * @throws BackendFailure
 */
export async function listOrderEmails(client: BackendClient, orderId: string) {
  return client
    .from("outgoing_emails")
    .select("id, kind, event, status, state, reason, due_at, created_at, settled_at, resend_of")
    .eq("order_id", orderId)
    .order("created_at")
    .order("kind")
    .then(unwrap);
}

export type OrderEmail = Awaited<ReturnType<typeof listOrderEmails>>[number];

/** What a customer is about to be told: an order's new status, or a parcel. */
export type WaitingEmails = {
  /** Of the emails' rows. */
  event: string;
  orderId: string;
  number: number;
  /** How many seconds its emails still wait. */
  seconds: number;
  /** Whether the user did it. */
  isOwn: boolean;
} & (
  | {
      status: OrderStatus;
      /** Before the last change. */
      fromStatus: OrderStatus;
      parcel: null;
    }
  | { parcel: { id: string; copies: number; isTakenBack: boolean } }
);

/**
 * The emails about statuses and parcels that staff can still stop, the next ones first.
 * @throws BackendFailure
 */
export async function listWaitingEmails(client: BackendClient): Promise<WaitingEmails[]> {
  const rows = unwrap(await client.rpc("list_waiting_emails"));
  return rows.map((row) => ({
    event: row.event,
    orderId: row.order_id,
    number: row.order_number,
    seconds: row.seconds,
    isOwn: row.is_own,
    // The generated types know no null among a function's columns.
    ...((row.shipment_id as string | null)
      ? { parcel: { id: row.shipment_id, copies: row.copies, isTakenBack: row.is_taken_back } }
      : { status: readStatus(row.status), fromStatus: readStatus(row.from_status), parcel: null }),
  }));
}

/**
 * Stops the emails about up to 200 of these events that no worker has taken. They can be sent again.
 * @returns how many
 * @throws BackendFailure
 */
export async function stopEmails(client: BackendClient, events: readonly string[]): Promise<number> {
  return unwrap(await client.rpc("stop_emails", { _events: [...events] }));
}

/**
 * Queues an email again, with its order's current content.
 * @throws BackendFailure, with the code `email_waiting` when it is already waiting, `nothing_to_say` when it would be
 * out of date
 */
export async function resendEmail(client: BackendClient, id: string): Promise<void> {
  unwrap(await client.rpc("resend_email", { _email_id: id }));
}

/**
 * Requeues all emails that could not be sent.
 * @returns how many
 * @throws BackendFailure
 */
export async function resendUnsentEmails(client: BackendClient): Promise<number> {
  return unwrap(await client.rpc("resend_unsent_emails"));
}

/**
 * How many emails about orders, quotes, stock and payments could not be sent in the last 7 days. A resend replaces its
 * original until it is sent.
 * @throws BackendFailure
 */
export async function countUnsentEmails(client: BackendClient): Promise<number> {
  return unwrap(await client.rpc("admin_count_unsent_emails"));
}

export const UNSENT_PAGE_SIZE = 20;

/**
 * One page of these emails, newest first. `page` from 1.
 * @throws BackendFailure
 */
export async function listUnsentEmails(client: BackendClient, page: number) {
  return unwrap(await client.rpc("admin_list_unsent_emails", { _page: page, _page_size: UNSENT_PAGE_SIZE }));
}

export type UnsentEmail = Awaited<ReturnType<typeof listUnsentEmails>>[number];
