import type { FieldErrors } from "#app/components/use-form.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { isPhone, PHONE_MALFORMED } from "#shared/text/phone.ts";
import type { TypedRegistration } from "./events.queries.ts";

/** `length` is the database's limit. */
export const registrationFields = [
  { name: "name", label: "Full name", type: "text", autoComplete: "name", length: 200, required: true },
  {
    name: "institution",
    label: "School or institution (optional)",
    type: "text",
    autoComplete: "organization",
    length: 200,
    required: false,
  },
  { name: "email", label: "Email", type: "email", autoComplete: "email", length: 320, required: false },
  { name: "phone", label: "Phone", type: "tel", autoComplete: "tel", length: 40, required: false },
] as const;

export const EMPTY_REGISTRATION: TypedRegistration = { name: "", email: "", phone: "", institution: "" };

const isEmpty = (text: string) => text.trim() === "";

export function findRegistrationErrors({
  name,
  email,
  phone,
}: TypedRegistration): FieldErrors<TypedRegistration> {
  return {
    name: isEmpty(name) ? "Please fill in full name" : null,
    email:
      isEmpty(email) && isEmpty(phone)
        ? "Please fill in an email address or a phone number"
        : isEmpty(email) || isEmail(email.trim())
          ? null
          : EMAIL_MALFORMED,
    phone: isEmpty(phone) || isPhone(phone) ? null : PHONE_MALFORMED,
  };
}
