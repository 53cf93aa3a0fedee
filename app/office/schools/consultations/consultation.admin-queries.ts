import {
  type Answer,
  type MeetingKind,
  readConsultationStatus,
  readMeetingKind,
} from "#app/features/consultations/consultation.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";
import { isUuid } from "#shared/text/uuid.ts";

export const CONSULTATION_SORT_KEYS = ["created_at", "name", "meets_at"] as const;
type ConsultationSortKey = (typeof CONSULTATION_SORT_KEYS)[number];

type Filters = { q: string; status: string };
type Paging = Partial<ReturnType<typeof pagingArguments>>;

const filtersOf = ({ q, status }: Filters) => ({ _q: q || undefined, _status: status || undefined });

/** The generated types don't know that a function's columns can be null. */
type Texts = Record<
  "email" | "phone" | "institution" | "subject" | "classes" | "wished_days" | "meeting_place" | "staff_note",
  string | null
>;
type Times = Record<"meets_at" | "closed_at", string | null>;

const withKinds = <Row extends Record<"status" | "meets_how" | keyof Texts | keyof Times, string>>(
  row: Row,
) => ({
  ...(row as Omit<Row, keyof (Texts & Times)> & Texts & Times),
  status: readConsultationStatus(row.status),
  meets_how: readMeetingKind(row.meets_how),
});

/** A page of consultations. @throws BackendFailure */
export async function readConsultations(client: BackendClient, filters: Filters, paging: Paging) {
  return unwrap(await client.rpc("admin_list_consultations", { ...filtersOf(filters), ...paging })).map(
    withKinds,
  );
}

export type ConsultationRow = Awaited<ReturnType<typeof readConsultations>>[number];

/** How many consultations match: exact. @throws BackendFailure */
export async function countConsultations(client: BackendClient, filters: Filters): Promise<number> {
  return unwrap(await client.rpc("admin_count_consultations", filtersOf(filters)));
}

/**
 * One page of consultations, newest first by default, and the exact number of all matches. `q` searches the customer
 * and the request.
 * @throws BackendFailure
 */
export async function listConsultations(
  client: BackendClient,
  query: ListQuery<ConsultationSortKey> & { status: string },
) {
  const [rows, total] = await Promise.all([
    readConsultations(client, query, pagingArguments(query)),
    countConsultations(client, query),
  ]);
  return { rows, total };
}

/** One consultation; null when there is none with this id. @throws BackendFailure */
export async function findConsultation(client: BackendClient, id: string) {
  if (!isUuid(id)) return null;
  const [row] = unwrap(await client.rpc("admin_find_consultation", { _id: id }));
  // The shape that the function builds: the generated types know only that it is JSON.
  return row
    ? { ...withKinds(row), answers: row.answers as unknown as (Answer & { by: string | null })[] }
    : null;
}

export type ConsultationRecord = NonNullable<Awaited<ReturnType<typeof findConsultation>>>;

type Version = Pick<ConsultationRecord, "id" | "version">;

const versionOf = ({ id, version }: Version) => ({ _id: id, _version: version });

/*
 * Each change applies only to this version, and returns the new one. They throw BackendFailure, with the code
 * `consultation_changed` or `consultation_closed`.
 */

/** Emails an answer; the same `answerId` is sent only once. */
export async function answerConsultation(
  client: BackendClient,
  consultation: Version,
  answerId: string,
  body: string,
): Promise<number> {
  return unwrap(
    await client.rpc("answer_consultation", {
      ...versionOf(consultation),
      _answer_id: answerId,
      _body: body,
    }),
  );
}

/** @param meeting `at` is in Ghana's time: '2026-12-05T09:00' */
export async function dateConsultation(
  client: BackendClient,
  consultation: Version,
  { at, how, place }: { at: string; how: MeetingKind; place: string },
): Promise<number> {
  return unwrap(
    await client.rpc("date_consultation", {
      ...versionOf(consultation),
      _meets_at: `${at}Z`,
      _how: how,
      _place: place,
    }),
  );
}

/** Emails it, too. Can also throw the code `consultation_not_dated`. */
export async function cancelConsultationDate(client: BackendClient, consultation: Version): Promise<number> {
  return unwrap(await client.rpc("cancel_consultation_date", versionOf(consultation)));
}

export async function closeConsultation(
  client: BackendClient,
  consultation: Version,
  note: string,
): Promise<number> {
  return unwrap(await client.rpc("close_consultation", { ...versionOf(consultation), _note: note }));
}

export async function reopenConsultation(client: BackendClient, consultation: Version): Promise<number> {
  return unwrap(await client.rpc("reopen_consultation", versionOf(consultation)));
}
