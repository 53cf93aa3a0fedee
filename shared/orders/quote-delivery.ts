import { BY_DOWNLOAD } from "./by-download.ts";
import { DOWNLOAD, deliveryMethodName } from "./delivery.ts";

/** How delivery is charged: by the shop's fees, by an amount that staff agreed, or not, because the prices include it. */
export const DELIVERY_PRICINGS = ["fees", "agreed", "included"] as const;
export type DeliveryPricing = (typeof DELIVERY_PRICINGS)[number];

/** How and where a quote is delivered; a missing pricing is that of a copy made before quotes had one. */
export type QuoteDelivery = {
  delivery_method?: string;
  region?: string | null;
  delivery_pricing?: string;
};

export const isIncluded = ({ delivery_pricing }: QuoteDelivery): boolean =>
  (delivery_pricing ?? "included") === "included";

/** Whether delivery itself costs nothing, and not because the prices include it or nothing is delivered. */
export const isFreelyDelivered = (delivery: QuoteDelivery, fee: number | null): boolean =>
  fee === 0 && delivery.delivery_method !== DOWNLOAD && !isIncluded(delivery);

/** What a quote says of the price of its delivery, in words; null for an amount. */
export function deliveryPriceWords(delivery: QuoteDelivery, fee: number | null): string | null {
  if (delivery.delivery_method === DOWNLOAD) return BY_DOWNLOAD;
  if (isIncluded(delivery)) return "Included in the prices";
  if (fee === null) return "Depends on the region";
  return fee === 0 ? "Free" : null;
}

/** 'Deliver to the address, Ashanti'; null where it makes no difference. */
export function quotedDestination(delivery: QuoteDelivery): string | null {
  const { delivery_method, region } = delivery;
  if (!delivery_method || delivery_method === DOWNLOAD || isIncluded(delivery)) return null;
  return [deliveryMethodName(delivery_method), delivery_method === "collect" ? null : region]
    .filter(Boolean)
    .join(", ");
}
