/* What tests of consultations create, in SQL. */
import { randomUUID } from "node:crypto";
import type { Database, Person } from "./database.ts";

export type ConsultationRequest = Partial<
  Record<
    "id" | "name" | "about" | "email" | "phone" | "institution" | "subject" | "classes" | "days",
    string | null
  >
>;

/** Asks for a consultation; each request has an address of its own, unless one is given. */
export async function requestConsultation(
  database: Database,
  caller: Person,
  {
    id = randomUUID(),
    name = "Ama Mensah",
    about = "Phonics for two classes",
    email = `${randomUUID()}@school.example`,
    phone = null,
    institution = null,
    subject = null,
    classes = null,
    days = null,
  }: ConsultationRequest = {},
): Promise<string> {
  await database.as(caller, (query) =>
    query("select public.request_consultation($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
      id,
      name,
      about,
      email,
      phone,
      institution,
      subject,
      classes,
      days,
    ]),
  );
  return String(id);
}
