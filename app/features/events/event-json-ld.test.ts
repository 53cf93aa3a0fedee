import { expect, test } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { eventJsonLd } from "./event-json-ld.ts";
import { EVENT_KINDS, type EventKind } from "./event-kinds.ts";
import type { ShownEvent } from "./events.queries.ts";

const event: ShownEvent = {
  id: "0b5c1f1e-0000-4000-8000-00000000000a",
  slug: "phonics",
  title: "Phonics for teachers",
  kind: "training",
  description: null,
  is_online: false,
  place: "Osu, Accra",
  starts_at: "2026-12-05T09:00:00+00:00",
  ends_at: "2026-12-05T12:30:00+00:00",
  price: 0 as Pesewas,
  places: 50,
  places_left: 12,
  state: "published",
  revision: 0,
  picture: null,
  updated_at: "2026-11-20T08:05:06.789+00:00",
};
const page = {
  siteUrl: "https://shop.example",
  url: "https://shop.example/events/phonics",
  imageUrl: "https://shop.example/pictures/x.webp",
};

test("an event has all properties that search engines require of schema.org's Event, with times in Ghana's zone", () => {
  expect(eventJsonLd(event, page)).toMatchObject({
    "@context": "https://schema.org",
    "@type": "EducationEvent",
    name: "Phonics for teachers",
    url: page.url,
    image: page.imageUrl,
    startDate: "2026-12-05T09:00:00+00:00",
    endDate: "2026-12-05T12:30:00+00:00",
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    location: { "@type": "Place", name: "Osu, Accra", address: { addressCountry: "GH" } },
    isAccessibleForFree: true,
    remainingAttendeeCapacity: 12,
    offers: { price: "0.00", priceCurrency: "GHS", availability: "https://schema.org/InStock" },
    organizer: { "@type": "Organization", url: page.siteUrl },
  });
  expect(eventJsonLd(event, page)).not.toHaveProperty("description");
});

test("an online event that is full and cancelled says so", () => {
  const online = {
    ...event,
    is_online: true,
    place: "Zoom",
    state: "cancelled",
    places_left: 0,
    price: 1250 as Pesewas,
  };
  expect(eventJsonLd(online, page)).toMatchObject({
    eventStatus: "https://schema.org/EventCancelled",
    eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
    location: { "@type": "VirtualLocation", url: page.url },
    remainingAttendeeCapacity: 0,
    isAccessibleForFree: false,
    offers: { price: "12.50", availability: "https://schema.org/SoldOut" },
  });
});

test("each kind is a type of event", () => {
  for (const kind of Object.keys(EVENT_KINDS) as EventKind[])
    expect(eventJsonLd({ ...event, kind }, page)["@type"]).toMatch(/Event$/);
});
