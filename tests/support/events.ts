import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";
import type { SignedIn } from "./people.ts";

/** An event's fields as save_event takes them; times as SQL intervals from now. */
export type EventValues = {
  title?: string;
  kind?: string;
  place?: string;
  startsIn?: string;
  endsIn?: string;
  places?: number;
  price?: number;
  is_online?: boolean;
  join_link?: string | null;
  description?: string | null;
  picture?: string | null;
};

const sql = `select public.save_event($1, $2, $3, $4, now() + $5::text::interval, now() + $6::text::interval, $7::int, $8::numeric, $9::boolean, $10,
  $11, $12::timestamptz, $13)::text as at`;

/** Saves an event as staff do; `updatedAt` null adds it. Returns the new version. */
export const saveEvent = (
  database: Database,
  admin: SignedIn,
  { id, updatedAt = null, ...values }: EventValues & { id: string; updatedAt?: string | null },
) =>
  database.as(admin, async (query) => {
    const event = {
      title: "Phonics for teachers",
      kind: "training",
      place: "Osu, Accra",
      startsIn: "7 days",
      endsIn: "7 days 2 hours",
      places: 50,
      price: 0,
      is_online: false,
      join_link: null,
      description: null,
      picture: null,
      ...values,
    };
    const [row] = await query<{ at: string }>(sql, [
      id,
      event.title,
      event.kind,
      event.place,
      event.startsIn,
      event.endsIn,
      event.places,
      event.price,
      event.is_online,
      event.join_link,
      event.description,
      updatedAt,
      event.picture,
    ]);
    return row?.at ?? "";
  });

export const setEventState = (database: Database, admin: SignedIn, id: string, state: string) =>
  database.as(admin, (query) =>
    query(
      "select public.set_event_state($1, $2, (select updated_at from public.events where id = $1)) as at",
      [id, state],
    ),
  );

/** A published event. */
export async function addEvent(database: Database, admin: SignedIn, values: EventValues = {}) {
  const id = randomUUID();
  await saveEvent(database, admin, { id, ...values });
  await setEventState(database, admin, id, "published");
  const [row] = await database.query<{ slug: string }>("select slug from public.events where id = $1", [id]);
  return { id, slug: row?.slug ?? "" };
}

export type Person = {
  name?: string;
  email?: string | null;
  phone?: string | null;
  institution?: string | null;
};

/** Registers a visitor; returns what they read. */
export const register = (database: Database, slug: string, person: Person = {}, id = randomUUID()) =>
  database.as({ role: "anon" }, async (query) => {
    const { name = "Ama Mensah", email = null, phone = null, institution = null } = person;
    const [row] = await query<{ state: string; waiting_before: number | null }>(
      "select * from public.register_for_event($1, $2, $3, $4, $5, $6)",
      [id, slug, name, email, phone, institution],
    );
    return row;
  });

/** Hands out the waiting emails, as the worker gets them, until none is due. */
export async function claimEmails(database: Database): Promise<ClaimedEventEmail[]> {
  const claimed: ClaimedEventEmail[] = [];
  for (;;) {
    const [row] = await database.query<{ email: ClaimedEventEmail | null }>(
      "select public.claim_email() as email",
    );
    if (!row?.email) return claimed;
    await database.query("select public.record_sent_email($1)", [row.email.id]);
    claimed.push(row.email);
  }
}

export type ClaimedEventEmail = {
  id: string;
  kind: string;
  registration: {
    id: string;
    email: string;
    state: string;
    token: string;
    event: Record<string, unknown>;
  } | null;
  subscription: { id: string; email: string; token: string; event: Record<string, unknown> | null } | null;
};
