import { randomUUID } from "node:crypto";
import type { AnyClient, ApiWorld } from "./matrix-world.ts";

/** A consultation with an answer, and a closed one; each has its own address, because requests per address are limited. */
export function consultationRenewals(
  staff: AnyClient,
  key: AnyClient,
  ids: ApiWorld["ids"],
): ApiWorld["renew"] {
  const done = async (work: PromiseLike<{ error: Error | null }>) => {
    const { error } = await work;
    if (error) throw error;
  };
  const freshEmail = () => `${randomUUID()}@school.example`;
  const newConsultation = async () => {
    const id = randomUUID();
    const request = { _id: id, _name: "A teacher", _about: "Phonics", _email: freshEmail() };
    await done(key.rpc("request_consultation", request));
    return id;
  };
  const newAnsweredConsultation = async () => {
    ids.consultation = await newConsultation();
    ids.consultation_answer = randomUUID();
    const answer = { _answer_id: ids.consultation_answer, _body: "Gladly" };
    await done(staff.rpc("answer_consultation", { _id: ids.consultation, _version: 1, ...answer }));
  };
  return {
    consultations: newAnsweredConsultation,
    answer_consultation: newAnsweredConsultation,
    date_consultation: newAnsweredConsultation,
    close_consultation: newAnsweredConsultation,
    cancel_consultation_date: async () => {
      ids.dated_consultation = await newConsultation();
      const date = { _meets_at: new Date(Date.now() + 86_400_000).toISOString(), _how: "phone" };
      await done(staff.rpc("date_consultation", { _id: ids.dated_consultation, _version: 1, ...date }));
    },
    reopen_consultation: async () => {
      ids.closed_consultation = await newConsultation();
      await done(staff.rpc("close_consultation", { _id: ids.closed_consultation, _version: 1 }));
    },
    request_consultation: async () => {
      ids.fresh_email = freshEmail();
    },
  };
}
