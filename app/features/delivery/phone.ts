/** Shown beside a field with anything else in it. */
export const PHONE_MALFORMED = "Please enter a valid phone number, such as 024 412 3456 or +233 24 412 3456.";

/** A phone number has at most 15 digits, country code included (ITU-T E.164). */
const DIALLED = /^\+?\d{6,15}$/;

/** A number as it is dialled: without spaces and the punctuation people write between digits. */
export function dialledNumber(typed: string): string {
  return typed.replace(/[\s().\-/]/g, "");
}

/**
 * Whether a text is a single phone number, with or without a country code. `private.is_phone` in the database is the
 * same rule for orders; tests check both against the same examples.
 */
export function isPhone(text: string): boolean {
  return DIALLED.test(dialledNumber(text));
}
