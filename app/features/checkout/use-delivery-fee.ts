import type { Shipping } from "#app/features/cart/cart-summary.tsx";
import { type DeliveryForm, deliveryOf } from "#app/features/delivery/delivery-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import { type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { findDeliveryFee } from "./delivery-fee.queries.ts";

/**
 * The delivery fee for books of this total. It is unknown until the database returns it, initially and after each change
 * that it depends on. Downloads have none.
 */
export function useDeliveryFee(
  form: DeliveryForm,
  booksTotal: Pesewas,
): { shipping: Shipping; readAgain: () => void } {
  const delivery = deliveryOf(form);
  const isDownloaded = delivery.delivery_method === DOWNLOAD;
  const { status, result, retry } = useRead(
    isDownloaded ? null : `${delivery.delivery_method} ${delivery.region} ${booksTotal}`,
    async () => findDeliveryFee(await getBackend(), delivery, booksTotal),
    { onFailure: (error) => logFailure("Failed to read the delivery fee", error) },
  );
  if (isDownloaded) return { shipping: pesewasFromCedis(0), readAgain: retry };
  return { shipping: status === "ready" ? (result ?? "needs-region") : status, readAgain: retry };
}
