import { readConsultationStatus } from "#app/features/consultations/consultation.ts";
import { readStatus } from "#app/features/orders/order.ts";
import { readQuoteStatus } from "#app/features/quotes/quote.ts";
import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import { readRole } from "#app/features/session/role.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { postToSite } from "#app/lib/backend/post-to-site.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { RememberedDelivery } from "#shared/orders/order-fields.ts";
import { inPesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";

/** The ten newest of a list, and how many there are. */
export type Newest<Row> = { count: number; rows: readonly (Row & { created_at: string })[] };

type Note = { id: string; body: string; by_name: string | null };
type ListedBook = { id: string; title: string };
type Order = {
  id: string;
  number: number;
  status: string;
  total_amount: number;
  payment_state: "none" | "due" | "part_paid" | "paid" | "too_much";
  owed_back: number;
  is_by_phone: boolean;
};

/** The shape that admin_find_person builds: the generated types know only that it is JSON. Null parts need a further duty. */
type Found = {
  profile: {
    id: string;
    full_name: string | null;
    email: string | null;
    phone: string | null;
    address: string | null;
    city: string | null;
    postal_code: string | null;
    created_at: string;
  } & RememberedDelivery;
  is_confirmed: boolean;
  /** Whether anyone can sign in to the account. */
  is_open: boolean;
  /** An address that waits for its owner to confirm it. */
  new_email: string | null;
  can_change_email: boolean;
  role: string;
  duties: string[];
  notes: Newest<Note>;
  cart: Newest<ListedBook & { quantity: number }>;
  wishlist: Newest<ListedBook>;
  stock_alerts: Newest<ListedBook>;
  orders: Newest<Order> | null;
  owed: { due: number; back: number } | null;
  order_notes: Newest<Note & { number: number }> | null;
  quotes: Newest<{
    id: string;
    reference: string | null;
    institution: string | null;
    status: string;
  }> | null;
  consultations: Newest<{
    id: string;
    subject: string | null;
    institution: string | null;
    status: string;
  }> | null;
  reviews: Newest<{
    id: string;
    title: string;
    rating: number;
    review_text: string | null;
    is_hidden: boolean;
  }> | null;
  registrations: Newest<{
    id: string;
    event_id: string;
    title: string;
    starts_at: string;
    state: "registered" | "waiting" | "cancelled";
  }> | null;
};

const mapRows = <Row, Result>(
  list: Newest<Row> | null,
  read: (row: Newest<Row>["rows"][number]) => Result,
): { count: number; rows: Result[] } | null => list && { count: list.count, rows: list.rows.map(read) };

/**
 * What the shop holds about a person with an account; null if there is none with this id. The lists that the user's
 * duties don't open are null.
 * @throws BackendFailure
 */
export async function findPerson(client: BackendClient, id: string) {
  if (!isUuid(id)) return null;
  const response = await client.rpc("admin_find_person", { _user_id: id });
  unwrapDone(response);
  const found = response.data as unknown as Found | null;
  if (!found) return null;
  return {
    ...found,
    role: readRole(found.role),
    duties: DUTIES.filter((duty): duty is Duty => found.duties.includes(duty)),
    owed: found.owed && {
      due: pesewasFromCedis(found.owed.due),
      back: pesewasFromCedis(found.owed.back),
    },
    orders: mapRows(found.orders, (order) => ({
      ...inPesewas(inPesewas(order, "total_amount"), "owed_back"),
      status: readStatus(order.status),
    })),
    quotes: mapRows(found.quotes, (quote) => ({ ...quote, status: readQuoteStatus(quote.status) })),
    consultations: mapRows(found.consultations, (one) => ({
      ...one,
      status: readConsultationStatus(one.status),
    })),
  };
}

export type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

/**
 * Adds a note that only staff see, once per `noteId`.
 * @throws BackendFailure
 */
export async function addPersonNote(
  client: BackendClient,
  userId: string,
  noteId: string,
  body: string,
): Promise<void> {
  unwrapDone(await client.rpc("add_person_note", { _user_id: userId, _note_id: noteId, _body: body }));
}

export type NameAndPhone = Pick<Person["profile"], "full_name" | "phone">;

/**
 * Corrects a person's name and phone number if they are still those that were shown.
 * @throws BackendFailure, with the code `person_changed`
 */
export async function correctPerson(
  client: BackendClient,
  userId: string,
  seen: NameAndPhone,
  { full_name, phone }: NameAndPhone,
): Promise<void> {
  unwrapDone(
    await client.rpc("correct_person", {
      _user_id: userId,
      _seen_name: seen.full_name ?? undefined,
      _seen_phone: seen.phone ?? undefined,
      _full_name: full_name ?? undefined,
      _phone: phone ?? undefined,
    }),
  );
}

/** What forgetting a person would remove, and why it is refused if it is. */
export async function previewForgetting(client: BackendClient, userId: string) {
  // The shape that preview_anonymising builds: the generated types know only that it is JSON.
  const found = unwrap(await client.rpc("preview_anonymising", { _user_id: userId })) as unknown as Record<
    "order_count" | "quotes" | "reviews" | "consultations" | "registrations",
    number
  > & {
    orders: { number: number; name: string | null; status: string; total: number }[];
    problem: string | null;
  };
  return {
    ...found,
    orders: found.orders
      .map((order) => inPesewas(order, "total"))
      .toSorted((one, other) => one.number - other.number),
  };
}

export type ForgetPreview = Awaited<ReturnType<typeof previewForgetting>>;

/**
 * Removes everything that names a person, and closes their account.
 * @throws BackendFailure while an order or a payment is not settled, and for staff if the user isn't an admin
 */
export async function forgetPerson(client: BackendClient, userId: string): Promise<void> {
  await postToSite(client, "/admin/users/forget", { user_id: userId });
}

type Moved =
  | "orders"
  | "by_phone"
  | "payments"
  | "quotes"
  | "consultations"
  | "registrations"
  | "reviews"
  | "wishlist"
  | "cart"
  | "copies"
  | "stock_alerts"
  | "notes";
type Doubled = "reviews" | "registrations" | "stock_alerts" | "wishlist" | "copies";
type Amount = "total" | "paid" | "due" | "back";

/** The shape that merge_people builds: the generated types know only that it is JSON. Amounts are null without the duty for orders. */
type MergePlan =
  | { problem: string }
  | (Record<Moved, number> &
      Record<Amount, number | null> & { doubles: Record<Doubled, number>; problem: null });

const pesewasOrNull = (cedis: number | null) => (cedis === null ? null : pesewasFromCedis(cedis));

/**
 * What merging the account `fromId` into `intoId` would move, and why it is refused if it is; nothing changes.
 * @throws BackendFailure
 */
export async function lookAtMerge(client: BackendClient, fromId: string, intoId: string) {
  const response = await client.rpc("merge_people", { _from: fromId, _into: intoId, _dry_run: true });
  const plan = unwrap(response) as unknown as MergePlan;
  if (plan.problem !== null) return plan;
  return {
    ...plan,
    total: pesewasOrNull(plan.total),
    paid: pesewasOrNull(plan.paid),
    due: pesewasOrNull(plan.due),
    back: pesewasOrNull(plan.back),
  };
}

export type MergeLook = Extract<Awaited<ReturnType<typeof lookAtMerge>>, { problem: null }>;

/**
 * Moves everything of the account `fromId` to `intoId`, and closes it. Repeated, it finishes what was interrupted.
 * @throws BackendFailure
 */
export async function mergePeople(client: BackendClient, fromId: string, intoId: string): Promise<void> {
  await postToSite(client, "/admin/users/merge", { from_id: fromId, into_id: intoId });
}

/**
 * Asks the owner of another address to confirm it for this account if `seen` is still the account's.
 * @throws BackendFailure, with the code `email_taken` or `person_changed`
 */
export async function requestEmailChange(
  client: BackendClient,
  userId: string,
  seen: string,
  email: string,
): Promise<void> {
  unwrapDone(
    await client.rpc("request_email_change", { _user_id: userId, _seen_email: seen, _email: email }),
  );
}

/** Takes back a change of email that has not been confirmed. @throws BackendFailure */
export async function withdrawEmailChange(client: BackendClient, userId: string): Promise<void> {
  unwrapDone(await client.rpc("withdraw_email_change", { _user_id: userId }));
}

/** Where a person is signed in; for admins. @throws BackendFailure */
export async function listSessionsOf(client: BackendClient, userId: string) {
  return unwrap(await client.rpc("list_sessions_of", { _user_id: userId }));
}

/** Ends one of a person's sessions; one that has ended already is none. @throws BackendFailure */
export async function endSessionOf(client: BackendClient, userId: string, id: string): Promise<void> {
  unwrap(await client.rpc("end_session_of", { _user_id: userId, _id: id }));
}
