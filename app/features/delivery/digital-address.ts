/** Shown beside a field with anything else in it. */
export const DIGITAL_ADDRESS_MALFORMED = "Please enter a valid digital address, such as GA-183-8164.";

/** A district's two characters, three to five digits of the area, four of the place. */
const parts = /^([A-Z][A-Z0-9])(\d{3,5})(\d{4})$/;

/**
 * A GhanaPost digital address in its written form, 'GA-183-8164', however it was typed; null when it is invalid.
 * Empty text stays empty. `private.digital_address` in the database is the same rule; tests check both against the
 * same examples.
 */
export function digitalAddress(typed: string): string | null {
  const bare = typed.replace(/[^0-9A-Za-z]+/g, "").toUpperCase();
  if (bare === "") return "";
  const found = parts.exec(bare);
  return found ? found.slice(1).join("-") : null;
}

/** What the field shows while someone types: upper case, and the complete address in its written form. */
export function typedDigitalAddress(typed: string): string {
  return digitalAddress(typed) || typed.toUpperCase();
}
