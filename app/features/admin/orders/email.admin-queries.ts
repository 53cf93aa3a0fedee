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

export type OrderEmail = Awaited<ReturnType<typeof listOrderEmails>>[number];

/**
 * Queues an email again, with what its order says now.
 * @throws BackendFailure, with the code `email_waiting` when it is waiting already
 */
export async function resendEmail(client: BackendClient, id: string): Promise<void> {
  unwrap(await client.rpc("resend_email", { _email_id: id }));
}

/**
 * The emails of the last 7 days that were given up and not sent again since, newest first, at most 50.
 * @throws BackendFailure
 */
export async function listGivenUpEmails(client: BackendClient) {
  return unwrap(await client.rpc("admin_list_given_up_emails"));
}
