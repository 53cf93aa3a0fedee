import type { FieldErrors } from "#app/components/use-form.ts";
import type { TypedRegistration } from "#app/features/events/events.queries.ts";
import {
  EMPTY_REGISTRATION,
  findRegistrationErrors,
  registrationFields,
} from "#app/features/events/registration-fields.ts";

/** The form's values; email or phone may be empty, but not both. */
export type TypedConsultation = TypedRegistration & {
  subject: string;
  classes: string;
  wishedDays: string;
  about: string;
};

export const EMPTY_CONSULTATION: TypedConsultation = {
  ...EMPTY_REGISTRATION,
  subject: "",
  classes: "",
  wishedDays: "",
  about: "",
};

/** `length` is the database's limit. */
const optional = { type: "text", autoComplete: "off", length: 200, required: false } as const;

/** The fields of one line, in their order. */
export const requestFields = [
  ...registrationFields,
  { name: "subject", label: "Subject (optional)", ...optional },
  { name: "classes", label: "Classes (optional)", ...optional },
  { name: "wishedDays", label: "Days and times that suit you (optional)", ...optional },
] as const;

export const ABOUT_LENGTH = 1_000;

export function findRequestErrors(typed: TypedConsultation): FieldErrors<TypedConsultation> {
  return {
    ...findRegistrationErrors(typed),
    about: typed.about.trim() === "" ? "Please tell us what it is about" : null,
  };
}
