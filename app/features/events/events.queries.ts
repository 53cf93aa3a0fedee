import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";
import { type EventKind, readEventKind } from "./event-kinds.ts";

const withKind = <Row extends { kind: string; price: number }>(row: Row) => ({
  ...inPesewas(row, "price"),
  kind: readEventKind(row.kind) satisfies EventKind,
});

/** Published events that are not over, the next one first; at most 100. @throws BackendFailure */
export async function listEvents(client: BackendClient) {
  // The generated types don't know what may be null.
  return unwrap(await client.rpc("list_events")).map((row) => ({
    ...withKind(row),
    picture: row.picture as string | null,
  }));
}

export type ListedEvent = Awaited<ReturnType<typeof listEvents>>[number];

/** A published or cancelled event by its address, also one that is over; null for any other. @throws BackendFailure */
export async function findEvent(client: BackendClient, slug: string) {
  const [row] = unwrap(await client.rpc("find_event", { _slug: slug }));
  // The generated types don't know what may be null.
  if (!row) return null;
  const { description, picture } = row as { description: string | null; picture: string | null };
  return { ...withKind(row), description, picture };
}

export type ShownEvent = NonNullable<Awaited<ReturnType<typeof findEvent>>>;

/** The form's values; email or phone may be empty, but not both. */
export type TypedRegistration = { name: string; email: string; phone: string; institution: string };

/** `waiting_before` is how many are before this person on the waiting list. */
export type RegistrationAnswer = { state: "registered" } | { state: "waiting"; waiting_before: number };

export function readRegistrationAnswer(
  row: { state: string; waiting_before: number } | undefined,
): RegistrationAnswer {
  return row?.state === "waiting"
    ? { state: "waiting", waiting_before: row.waiting_before }
    : { state: "registered" };
}

/**
 * Registers someone for an event. Idempotent by `id`, and by name and contact.
 * @throws BackendFailure, with `too_many_registrations`, `event_over`, `event_not_open` or `waiting_list_full`
 */
export async function registerForEvent(
  client: BackendClient,
  { id, slug, typed }: { id: string; slug: string; typed: TypedRegistration },
): Promise<RegistrationAnswer> {
  const rows = await client.rpc("register_for_event", {
    _id: id,
    _slug: slug,
    _name: typed.name,
    _email: typed.email || undefined,
    _phone: typed.phone || undefined,
    _institution: typed.institution || undefined,
  });
  return readRegistrationAnswer(unwrap(rows)[0]);
}

/**
 * Asks for an email about each new event, which a link in a first email confirms.
 * @throws BackendFailure, with `too_many_subscriptions`
 */
export async function subscribeToEvents(client: BackendClient, email: string): Promise<void> {
  unwrapDone(await client.rpc("subscribe_to_events", { _email: email }));
}
