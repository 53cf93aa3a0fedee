import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrapDone } from "#app/lib/backend/response.ts";
import type { Delivery } from "#shared/orders/order-fields.ts";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";

/**
 * The delivery fee for books of this total, by the same rule that checks a new order; null while it depends on a region
 * that has not been chosen.
 * @throws BackendFailure
 */
export async function findDeliveryFee(
  client: BackendClient,
  { region, delivery_method }: Pick<Delivery, "region" | "delivery_method">,
  booksTotal: Pesewas,
): Promise<Pesewas | null> {
  const values = {
    _region: region ?? "",
    _method: delivery_method,
    _books_total: cedisFromPesewas(booksTotal),
  };
  const response = await client.rpc("delivery_fee", values);
  unwrapDone(response);
  // The generated types don't know that functions return null.
  const fee: number | null = response.data;
  return fee === null ? null : pesewasFromCedis(fee);
}
