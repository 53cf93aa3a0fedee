import type { EventKind } from "#app/features/events/event-kinds.ts";
import { readEventKind } from "#app/features/events/event-kinds.ts";
import {
  type RegistrationAnswer,
  readRegistrationAnswer,
  type TypedRegistration,
} from "#app/features/events/events.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { LIST_PAGE_SIZE } from "#app/lib/react/list-state.ts";
import { uploadPicture } from "#app/office/catalogue/covers/cover.admin-queries.ts";
import type { ListPage } from "#app/office/frame/admin-list.tsx";
import { cedisFromPesewas, inPesewas, type Pesewas } from "#shared/text/money.ts";

export type EventState = "draft" | "published" | "cancelled";

/** The editable fields of an event; times as '2026-12-05T09:00Z'. */
export type EventValues = {
  title: string;
  kind: EventKind;
  description: string;
  is_online: boolean;
  place: string;
  join_link: string;
  starts_at: string;
  ends_at: string;
  places: number;
  price: Pesewas;
  /** The name of an uploaded picture; null without one. */
  picture: string | null;
};

/** One page of events, the latest first. @throws BackendFailure */
export async function listEvents(client: BackendClient, page: number, size = LIST_PAGE_SIZE) {
  const rows = unwrap(await client.rpc("admin_list_events", { _page: page, _page_size: size }));
  return {
    total: rows[0]?.found ?? 0,
    rows: rows.map((row) => ({
      ...inPesewas(row, "price"),
      kind: readEventKind(row.kind),
      state: row.state as EventState,
      // The generated types don't know what may be null.
      description: row.description as string | null,
      join_link: row.join_link as string | null,
      picture: row.picture as string | null,
    })),
  };
}

export type EventRow = Awaited<ReturnType<typeof listEvents>>["rows"][number];

/** Null if there is none. @throws BackendFailure */
export async function findEvent(client: BackendClient, id: string): Promise<EventRow | null> {
  // A shop has a few dozen events a year.
  for (let page = 1; ; page += 1) {
    const { rows } = await listEvents(client, page, 1_000);
    const found = rows.find((row) => row.id === id);
    if (found || rows.length < 1_000) return found ?? null;
  }
}

/**
 * Adds an event, or changes the one that was loaded.
 * @param loaded null for a new one
 * @throws BackendFailure, with `event_changed` when someone else has changed it since, `places_taken`
 */
export async function saveEvent(
  client: BackendClient,
  id: string,
  values: EventValues,
  loaded: Pick<EventRow, "updated_at"> | null,
): Promise<void> {
  unwrap(
    await client.rpc("save_event", {
      _id: id,
      _title: values.title,
      _kind: values.kind,
      _description: values.description,
      _is_online: values.is_online,
      _place: values.place,
      _join_link: values.join_link,
      _starts_at: values.starts_at,
      _ends_at: values.ends_at,
      _places: values.places,
      _price: cedisFromPesewas(values.price),
      _updated_at: loaded?.updated_at,
      _picture: values.picture ?? undefined,
    }),
  );
}

/**
 * Uploads an event's picture and returns its name, which is made of `at`, in milliseconds.
 * @throws BackendFailure
 */
export async function uploadEventPicture(client: BackendClient, jpeg: Blob, at: number): Promise<string> {
  const name = `event-picture-${at}.jpg`;
  await uploadPicture(client, jpeg, name);
  return name;
}

/** @throws BackendFailure, with `event_changed`, `event_over` or `event_has_registrations` */
export async function setEventState(
  client: BackendClient,
  { id, updated_at }: Pick<EventRow, "id" | "updated_at">,
  state: EventState,
): Promise<void> {
  unwrap(await client.rpc("set_event_state", { _id: id, _state: state, _updated_at: updated_at }));
}

/** @throws BackendFailure, with `event_published` */
export async function removeEvent(client: BackendClient, id: string): Promise<void> {
  unwrapDone(await client.rpc("delete_event", { _id: id }));
}

/** One page of an event's registrations: those with a place, the waiting list, then cancelled ones. @throws BackendFailure */
export async function listRegistrations(
  client: BackendClient,
  eventId: string,
  { page, size = LIST_PAGE_SIZE }: { page: number; size?: number },
) {
  const rows = unwrap(
    await client.rpc("admin_list_registrations", { _event_id: eventId, _page: page, _page_size: size }),
  );
  return {
    total: rows[0]?.found ?? 0,
    rows: rows as (Omit<
      (typeof rows)[number],
      "email" | "phone" | "institution" | "promoted_at" | "cancelled_at" | "state"
    > & {
      state: "registered" | "waiting" | "cancelled";
      email: string | null;
      phone: string | null;
      institution: string | null;
      promoted_at: string | null;
      cancelled_at: string | null;
    })[],
  } satisfies ListPage<unknown>;
}

export type Registration = Awaited<ReturnType<typeof listRegistrations>>["rows"][number];

/** Registers someone who called. Idempotent by `id`. @throws BackendFailure */
export async function addRegistration(
  client: BackendClient,
  { id, eventId, typed }: { id: string; eventId: string; typed: TypedRegistration },
): Promise<RegistrationAnswer> {
  const rows = await client.rpc("add_event_registration", {
    _id: id,
    _event_id: eventId,
    _name: typed.name,
    _email: typed.email || undefined,
    _phone: typed.phone || undefined,
    _institution: typed.institution || undefined,
  });
  return readRegistrationAnswer(unwrap(rows)[0]);
}

/** The place goes to the next on the waiting list. @throws BackendFailure */
export async function cancelRegistration(client: BackendClient, id: string): Promise<void> {
  unwrapDone(await client.rpc("drop_event_registration", { _id: id }));
}

/** How many get an email about each new event. @throws BackendFailure */
export async function countSubscribers(client: BackendClient): Promise<number> {
  return unwrap(await client.rpc("count_event_subscribers"));
}
