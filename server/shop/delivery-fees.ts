import type { DeliveryFee } from "#app/lib/delivery.ts";
import type { Sql } from "../database/sql.ts";
import { StartError } from "../lib/start-error.ts";

/** SQLSTATEs of values that the database refuses: a failed check, a number that is too large, a missing one. */
const refusals = ["23514", "22003", "23502"];

/**
 * Writes the owner's delivery fees into the database, which checks each new order's total by them.
 * @throws StartError when one is impossible
 */
export async function writeDeliveryFees(sql: Sql, fees: readonly DeliveryFee[]): Promise<void> {
  await sql
    .query("select private.set_delivery_fees($1::text::jsonb)", [JSON.stringify(fees)])
    .catch((error: { code?: string }) => {
      if (!refusals.includes(error.code ?? "")) throw error;
      throw new StartError(
        "A delivery fee in app/owner/shop.ts is impossible: it names a region that Ghana doesn't have, or an amount that is not between 0 and 99,999.99 cedis",
      );
    });
}
