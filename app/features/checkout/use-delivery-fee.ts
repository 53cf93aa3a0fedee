import { useState } from "react";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import type { Pesewas } from "#app/lib/money.ts";
import { useRead } from "#app/lib/use-read.ts";
import { findDeliveryFee } from "./delivery-fee.queries.ts";
import { type DeliveryForm, deliveryOf } from "./delivery-form.ts";

const free = 0 as Pesewas;

/**
 * The delivery fee for the books in the cart. While it loads, the last one is shown, at first 0: delivery is free
 * unless the owner decides otherwise, and an order whose fee differs from the one shown is refused.
 */
export function useDeliveryFee(
  form: DeliveryForm,
  booksTotal: Pesewas,
): { fee: Pesewas; readAgain: () => void } {
  const delivery = deliveryOf(form);
  const [fee, setFee] = useState(free);
  const { retry } = useRead(
    `${delivery.delivery_method} ${delivery.region} ${booksTotal}`,
    async () => findDeliveryFee(await getBackend(), delivery, booksTotal),
    { onResult: setFee, onFailure: (error) => logFailure("Failed to read the delivery fee", error) },
  );
  return { fee, readAgain: retry };
}
