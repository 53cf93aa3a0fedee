import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { findMachineState, findSettings } from "#app/office/shop/settings/setting.admin-queries.ts";
import { type FirstStep, listFirstSteps } from "./first-steps.ts";

/**
 * What is left to do before the shop opens, and whether it has had an order.
 * @throws BackendFailure
 */
export async function findFirstSteps(
  client: BackendClient,
): Promise<{ steps: FirstStep[]; hasOrders: boolean }> {
  const [{ shop }, machine, hasDemo, books, orders] = await Promise.all([
    findSettings(client),
    findMachineState(client),
    client.rpc("shop_has_demo").then(unwrap),
    client.from("books").select("id").limit(1).then(unwrap),
    client.from("orders").select("id").limit(1).then(unwrap),
  ]);
  const hasOrders = orders.length > 0;
  const steps = listFirstSteps({ shop, machine, hasDemo, hasBooks: books.length > 0, hasOrders });
  return { steps, hasOrders };
}
