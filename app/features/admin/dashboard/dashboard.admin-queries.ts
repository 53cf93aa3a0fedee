import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";

/**
 * The dashboard's five totals, each counted by the database.
 * @throws BackendFailure
 */
export async function findDashboardStats(client: BackendClient) {
  return unwrap(await client.rpc("dashboard_stats").single());
}
