/** Without the characters that separate, quote or comment addresses. */
const PLAIN = /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\].]+(?:\.[^\s@"(),:;<>[\\\].]+)+$/;

/** Shown beside a field with anything else in it. */
export const EMAIL_MALFORMED = "Please enter a valid email address, such as name@school.edu.gh.";

/**
 * Whether a text is a single plain email address, at a domain with a dot. `private.is_email` in the database is the
 * same rule for orders; tests check both against the same examples.
 */
export function isEmail(text: string): boolean {
  return PLAIN.test(text);
}
