/** Said when any field of a form for accounts is empty. */
export const FILL_IN_ALL = "Please fill in all fields";

export const PASSWORD_MIN_LENGTH = 6;

/** The provider's own words for it, so that the rule reads the same whoever enforces it. */
const PASSWORD_TOO_SHORT = `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`;

export type FieldName = "fullName" | "email" | "password" | "countryCode" | "phone";

export type Values = Partial<Record<FieldName, string>>;

export type FieldErrors = Partial<Record<FieldName, string>>;

const MISSING: Record<FieldName, string> = {
  fullName: "Your name is missing.",
  email: "Your email is missing.",
  password: "A password is missing.",
  countryCode: "A country code is missing.",
  phone: "Your phone number is missing.",
};

/** A note for each empty field, in the order of the form. White space counts as typed in passwords alone. */
export function findMissing(fields: readonly FieldName[], values: Values): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of fields) {
    const value = values[field] ?? "";
    if (!(field === "password" ? value : value.trim())) errors[field] = MISSING[field];
  }
  return errors;
}

/** What is wrong with an e-mail address that the browser calls no address. */
export const EMAIL_MALFORMED = "This is not an email address. It should look like name@school.edu.gh.";

/** Null when a new password is long enough. */
export function checkNewPassword(password: string): string | null {
  // As the provider counts: characters, not bytes.
  return [...password].length < PASSWORD_MIN_LENGTH ? PASSWORD_TOO_SHORT : null;
}
