import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-failure.ts";

/**
 * The five figures of the dashboard, each counted by the database.
 * @throws BackendFailure
 */
export async function findDashboardStats(client: BackendClient) {
  return unwrap(await client.rpc("dashboard_stats").single());
}
