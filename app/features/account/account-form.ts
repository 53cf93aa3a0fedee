/** The toast when a field of an account form is empty (spec section 5). */
export const FILL_IN_ALL = "Please fill in all fields";

export const PASSWORD_MIN_LENGTH = 6;

/** The provider's own message, so that it is the same whether the browser or the provider refuses. */
const PASSWORD_TOO_SHORT = `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`;

export type FieldName = "fullName" | "email" | "password" | "countryCode" | "phone";

export type Values = Partial<Record<FieldName, string>>;

export type FieldErrors = Partial<Record<FieldName, string | null>>;

const MISSING: Record<FieldName, string> = {
  fullName: "Please enter your name.",
  email: "Please enter your email.",
  password: "Please enter a password.",
  countryCode: "Please choose a country code.",
  phone: "Please enter your phone number.",
};

/** A message for each empty field, in the order of the form, or null. White space counts only in passwords. */
export function findMissing(fields: readonly FieldName[], values: Values): FieldErrors | null {
  const missing = fields.filter((field) => !(field === "password" ? values[field] : values[field]?.trim()));
  return missing.length > 0 ? Object.fromEntries(missing.map((field) => [field, MISSING[field]])) : null;
}

/** The error message, or null when a new password is long enough. */
export function checkNewPassword(password: string): string | null {
  // The provider counts characters, not bytes.
  return [...password].length < PASSWORD_MIN_LENGTH ? PASSWORD_TOO_SHORT : null;
}
