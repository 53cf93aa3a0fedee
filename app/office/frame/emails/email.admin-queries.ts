import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";

/**
 * The emails about an order, oldest first.
 * @throws BackendFailure
 */
export async function listOrderEmails(client: BackendClient, orderId: string) {
  return client
    .from("outgoing_emails")
    .select("id, kind, status, state, reason, due_at, created_at, settled_at, resend_of")
    .eq("order_id", orderId)
    .order("created_at")
    .order("kind")
    .then(unwrap);
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
