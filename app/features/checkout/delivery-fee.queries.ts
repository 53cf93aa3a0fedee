import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";
import type { Delivery } from "#app/lib/delivery.ts";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#app/lib/money.ts";

/**
 * The delivery fee for books of this total, by the same rule that checks a new order.
 * @throws BackendFailure
 */
export async function findDeliveryFee(
  client: BackendClient,
  { region, delivery_method }: Pick<Delivery, "region" | "delivery_method">,
  booksTotal: Pesewas,
): Promise<Pesewas> {
  const values = {
    _region: region ?? "",
    _method: delivery_method,
    _books_total: cedisFromPesewas(booksTotal),
  };
  return pesewasFromCedis(unwrap(await client.rpc("delivery_fee", values)));
}
