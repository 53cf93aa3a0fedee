import { currentShop } from "#app/lib/pages/current-shop.ts";
import { cedisFromPesewas } from "#shared/text/money.ts";
import type { EventKind } from "./event-kinds.ts";
import type { ShownEvent } from "./events.queries.ts";

const types: Readonly<Record<EventKind, string>> = {
  training: "EducationEvent",
  exhibition: "ExhibitionEvent",
  reading: "LiteraryEvent",
  school_visit: "EducationEvent",
  other: "Event",
};

/** '2026-12-05T09:00:00+00:00': Ghana's time is UTC. */
const ghanaTime = (at: string) => new Date(at).toISOString().replace(/\.\d+Z$/, "+00:00");

/**
 * The event for search engines, as schema.org's Event.
 * @param page absolute URLs of the page and of the picture
 */
export function eventJsonLd(
  event: ShownEvent,
  { siteUrl, url, imageUrl }: Record<"siteUrl" | "url" | "imageUrl", string>,
) {
  const fields = {
    "@context": "https://schema.org",
    "@type": types[event.kind],
    name: event.title,
    url,
    image: imageUrl,
    description: event.description,
    startDate: ghanaTime(event.starts_at),
    endDate: ghanaTime(event.ends_at),
    eventStatus: `https://schema.org/${event.state === "cancelled" ? "EventCancelled" : "EventScheduled"}`,
    eventAttendanceMode: `https://schema.org/${event.is_online ? "OnlineEventAttendanceMode" : "OfflineEventAttendanceMode"}`,
    location: event.is_online
      ? { "@type": "VirtualLocation", name: event.place, url }
      : {
          "@type": "Place",
          name: event.place,
          address: { "@type": "PostalAddress", streetAddress: event.place, addressCountry: "GH" },
        },
    maximumAttendeeCapacity: event.places,
    remainingAttendeeCapacity: event.places_left,
    isAccessibleForFree: event.price === 0,
    offers: {
      "@type": "Offer",
      url,
      price: cedisFromPesewas(event.price).toFixed(2),
      priceCurrency: "GHS",
      availability: `https://schema.org/${event.places_left > 0 ? "InStock" : "SoldOut"}`,
    },
    organizer: { "@type": "Organization", name: currentShop().name, url: siteUrl },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));
}
