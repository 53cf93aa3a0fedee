import type { Shipping } from "#app/features/cart/cart-summary.tsx";
import { type DeliveryForm, deliveryOf } from "#app/features/delivery/delivery-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import type { Pesewas } from "#app/lib/money.ts";
import { useRead } from "#app/lib/use-read.ts";
import { findDeliveryFee } from "./delivery-fee.queries.ts";

/**
 * The delivery fee for books of this total. It is unknown until the database returns it, initially and after each change
 * that it depends on.
 */
export function useDeliveryFee(
  form: DeliveryForm,
  booksTotal: Pesewas,
): { shipping: Shipping; readAgain: () => void } {
  const delivery = deliveryOf(form);
  const { status, result, retry } = useRead(
    `${delivery.delivery_method} ${delivery.region} ${booksTotal}`,
    async () => findDeliveryFee(await getBackend(), delivery, booksTotal),
    { onFailure: (error) => logFailure("Failed to read the delivery fee", error) },
  );
  return { shipping: status === "ready" ? (result ?? "needs-region") : status, readAgain: retry };
}
