import type { PictureSource } from "#app/components/picture.tsx";
import {
  EVENT_PICTURE_WIDTHS,
  EVENT_PREVIEW_SIZE,
  eventPictureUrl,
  isEventPicture,
} from "#shared/books/picture-sizes.ts";
import { formatPeriod } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { EVENT_KINDS } from "./event-kinds.ts";
import { eventPicture } from "./event-pictures.ts";
import type { ListedEvent, ShownEvent } from "./events.queries.ts";

/** An event as texts, formatted by the server. */
export type EventView = {
  slug: string;
  title: string;
  kind: string;
  /** 'Saturday 5 Dec 2026, 09:00 to 12:30' */
  when: string;
  place: string;
  price: string;
  /** '12 of 50 places left' */
  places: string;
  isFull: boolean;
  /** The drawing for its kind. */
  picture: PictureSource;
  /** What an <img> loads of its own picture; null without one. */
  ownPicture: { src: string; srcSet: string } | null;
};

export type EventPageView = EventView & {
  paragraphs: string[];
  /** Why registration is closed; null while it is open. */
  closed: "over" | "cancelled" | null;
};

function ownPictureOf({ picture }: Pick<ListedEvent, "picture">): EventView["ownPicture"] {
  if (picture === null || !isEventPicture(picture)) return null;
  const urlOf = (width: number) => eventPictureUrl(picture, `${width}.webp`);
  return { src: urlOf(800), srcSet: EVENT_PICTURE_WIDTHS.map((width) => `${urlOf(width)} ${width}w`).join() };
}

/** Its picture for search engines and link previews, as a path. */
export const previewOf = ({ kind, picture }: Pick<ListedEvent, "kind" | "picture">): string =>
  picture !== null && isEventPicture(picture)
    ? eventPictureUrl(picture, EVENT_PREVIEW_SIZE)
    : eventPicture(kind).src;

const isFull = ({ places_left: left }: { places_left: number }) => left === 0;

export const eventView = (event: ListedEvent): EventView => ({
  slug: event.slug,
  title: event.title,
  kind: EVENT_KINDS[event.kind],
  when: formatPeriod(event.starts_at, event.ends_at),
  place: event.is_online ? `Online: ${event.place}` : event.place,
  price: event.price === 0 ? "Free" : `${formatCedis(event.price)} a person`,
  places: isFull(event)
    ? "All places are taken. You can join the waiting list."
    : `${event.places_left.toLocaleString("en-GB")} of ${event.places.toLocaleString("en-GB")} places left`,
  isFull: isFull(event),
  picture: eventPicture(event.kind),
  ownPicture: ownPictureOf(event),
});

/** @param now for whether it is over, in milliseconds */
export function eventPageView(event: ShownEvent, now: number): EventPageView {
  const isOver = Date.parse(event.ends_at) <= now;
  return {
    ...eventView(event),
    paragraphs: (event.description ?? "").split(/\n+/).filter(Boolean),
    closed: event.state === "cancelled" ? "cancelled" : isOver ? "over" : null,
  };
}
