import type { FieldErrors } from "#app/components/use-form.ts";
import { readEventKind } from "#app/features/events/event-kinds.ts";
import { isTime, localTime } from "#app/office/frame/typed-time.ts";
import { cedisFromPesewas, type Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import { isWebAddress } from "#shared/text/web-address.ts";
import type { EventRow, EventValues } from "./event.admin-queries.ts";

/** Times have the format of the browser's field, in Ghana's time: '2026-12-05T09:00'. */
export type EventForm = {
  title: string;
  kind: string;
  description: string;
  is_online: boolean;
  place: string;
  join_link: string;
  starts_at: string;
  ends_at: string;
  places: string;
  price: string;
  /** The name of an uploaded picture; empty without one. */
  picture: string;
};

/** The database's limits. */
export const limits = { title: 200, description: 5_000, place: 300, join_link: 500 } as const;
const MAX_PLACES = 10_000;

export function eventForm(row: EventRow | null): EventForm {
  return {
    title: row?.title ?? "",
    kind: row?.kind ?? "training",
    description: row?.description ?? "",
    is_online: row?.is_online ?? false,
    place: row?.place ?? "",
    join_link: row?.join_link ?? "",
    starts_at: row ? localTime(row.starts_at) : "",
    ends_at: row ? localTime(row.ends_at) : "",
    places: row ? String(row.places) : "",
    price: row && row.price > 0 ? cedisFromPesewas(row.price).toFixed(2) : "",
    picture: row?.picture ?? "",
  };
}

const isEmpty = (text: string) => text.trim() === "";

function readPlaces(typed: string): number | null {
  const places = /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : 0;
  return places >= 1 && places <= MAX_PLACES ? places : null;
}

export function findErrors(form: EventForm): FieldErrors<EventForm> {
  const { starts_at, ends_at } = form;
  const price = isEmpty(form.price) ? 0 : readPrice(form.price);
  return {
    title: isEmpty(form.title) ? "Title is required" : null,
    starts_at: isTime(starts_at) ? null : "Choose a day and a time",
    ends_at: !isTime(ends_at)
      ? "Choose a day and a time"
      : ends_at > starts_at
        ? null
        : "The end must be after the start",
    place: isEmpty(form.place) ? "Place is required" : null,
    join_link:
      isEmpty(form.join_link) || isWebAddress(form.join_link.trim())
        ? null
        : "The link must start with https://",
    places: readPlaces(form.places) === null ? "Enter a number from 1 to 10,000" : null,
    price: typeof price === "number" ? null : "Enter a price in cedis, or leave it empty",
  };
}

/** Converts a valid form for saving. */
export function eventValues(form: EventForm): EventValues {
  const price = isEmpty(form.price) ? 0 : readPrice(form.price);
  return {
    title: form.title.trim(),
    kind: readEventKind(form.kind),
    description: form.description.trim(),
    is_online: form.is_online,
    place: form.place.trim(),
    join_link: form.is_online ? form.join_link.trim() : "",
    starts_at: `${form.starts_at}Z`,
    ends_at: `${form.ends_at}Z`,
    places: readPlaces(form.places) ?? 1,
    price: (typeof price === "number" ? price : 0) as Pesewas,
    picture: form.picture || null,
  };
}
