import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { type Answer, readConsultationStatus, readMeetingKind } from "./consultation.ts";
import type { TypedConsultation } from "./request-fields.ts";

/**
 * Asks for a consultation, signed in or not. Idempotent by `id`.
 * @throws BackendFailure, with the code `too_many_consultations`
 */
export async function requestConsultation(
  client: BackendClient,
  id: string,
  typed: TypedConsultation,
): Promise<void> {
  unwrapDone(
    await client.rpc("request_consultation", {
      _id: id,
      _name: typed.name,
      _email: typed.email,
      _phone: typed.phone,
      _institution: typed.institution,
      _subject: typed.subject,
      _classes: typed.classes,
      _wished_days: typed.wishedDays,
      _about: typed.about,
    }),
  );
}

/** The user's own consultations with the shop's answers, newest first; at most 20. @throws BackendFailure */
export async function listOwnConsultations(client: BackendClient) {
  return unwrap(await client.rpc("list_own_consultations")).map((row) => ({
    id: row.id,
    status: readConsultationStatus(row.status),
    about: row.about,
    phone: row.phone as string | null,
    meets_at: row.meets_at as string | null,
    meets_how: readMeetingKind(row.meets_how),
    meeting_place: row.meeting_place as string | null,
    created_at: row.created_at,
    // The shape that the function builds: the generated types know only that it is JSON.
    answers: row.answers as unknown as Answer[],
  }));
}

export type OwnConsultation = Awaited<ReturnType<typeof listOwnConsultations>>[number];
