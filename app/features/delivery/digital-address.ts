import { plainCode } from "#shared/text/plain-code.ts";

/** Shown beside a field with anything else in it. */
export const DIGITAL_ADDRESS_MALFORMED = "Please enter a valid digital address, such as GA-183-8164.";

/**
 * The region's letter and the district's, three to five digits of the area, four of the place. GhanaPostGPS has letters
 * for ten regions; in the Upper West (X) no area has only three digits.
 */
const PARTS = /^(?:([ABCEGNUVW][A-Z\d])[ ./-]*(\d{3,5})|(X[A-Z\d])[ ./-]*(\d{4,5}))[ ./-]*(\d{4})$/;

/**
 * A GhanaPost digital address in its written form, 'GA-183-8164', however it was typed; null when it is invalid.
 * Hyphens and spaces that were typed are where its parts end, so that a digit too many is not another place. Empty text
 * stays empty. `private.digital_address` in the database is the same rule; tests check both against the same spellings.
 */
export function digitalAddress(typed: string): string | null {
  const bare = plainCode(typed)
    .toUpperCase()
    .replace(/^[='" .-]+|['" .-]+$/g, "");
  if (bare === "") return "";
  const found = PARTS.exec(bare);
  return found ? found.slice(1).filter(Boolean).join("-") : null;
}
