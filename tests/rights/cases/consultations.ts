import { type Case, refusedByConstraint, refusedByForeignKey } from "./case.ts";

const consultation = (assignment: string) =>
  `update consultations set ${assignment} where id = :consultation`;

const constraints: [name: string, code: string, sql: string][] = [
  ["consultations.consultations_have_a_contact", "23514", consultation("email = null")],
  ["consultations.consultations_texts_are_short", "23514", consultation("about = repeat('x', 1001)")],
  [
    "consultations.consultations_how_is_known",
    "23514",
    consultation("meets_at = now(), meets_how = 'letter'"),
  ],
  ["consultations.consultations_appointment_is_whole", "23514", consultation("meets_at = now()")],
  [
    "consultation_answers.consultation_answers_body_is_sane",
    "23514",
    "update consultation_answers set body = '' where id = :consultation_answer",
  ],
];

const foreignKeys: [name: string, sql: string][] = [
  ["consultations.consultations_user_id_fkey", consultation("user_id = gen_random_uuid()")],
  [
    "consultation_answers.consultation_answers_consultation_id_fkey",
    "update consultation_answers set consultation_id = gen_random_uuid() where id = :consultation_answer",
  ],
];

export const consultationCases: Case[] = [
  ...refusedByConstraint(constraints),
  ...refusedByForeignKey(foreignKeys),
];
