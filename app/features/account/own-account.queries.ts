import type { BackendClient } from "#app/lib/backend/client.ts";
import { postToSite } from "#app/lib/backend/post-to-site.ts";

/**
 * Closes the user's own account permanently: their personal data is deleted, and their orders stay without a name.
 * @throws BackendFailure when the password is wrong, or while an order or a payment is not settled
 */
export async function closeAccount(client: BackendClient, password: string): Promise<void> {
  await postToSite(client, "/account/close", { password });
}
