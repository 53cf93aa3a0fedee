/*
 * What a list says of a title: in print, out of print, not yet published; in words, in the trade's letters, or in ONIX codes of the lists 64
 * (publishing status) and 65 (availability), which mean different things by the same number.
 */

export type ListStatus = "gone" | "later";

const GONE =
  /^(?:o\.?\/?p\.?|oop|osi|nla|out[ -]of[ -]print\b.*|out of stock indefinitely\b.*|discontinued\b.*|(?:permanently )?withdrawn\b.*|cancelled|abandoned|no longer (?:available|published|supplied|sold)\b.*|not available|unavailable|remaindered|recalled|(?:replaced|superseded)\b.*)$/i;
const LATER =
  /^(?:(?:n\/?y\/?p|not (?:yet )?(?:published|available yet|out)|not yet available|to be published|forthcoming|postponed|coming soon|pre-?order)\b.*)$/i;

/**
 * Codes of publishing status: cancelled, no longer ours, out of stock indefinitely, out of print, inactive, remaindered, withdrawn, recalled;
 * forthcoming, postponed.
 */
const GONE_STATUS = /^(?:01|0[5-8]|1[0-2]|1[5-7])$/;
const LATER_STATUS = /^0[23]$/;
/** Codes of availability: cancelled and not available; not yet. */
const GONE_AVAILABILITY = /^(?:01|4\d|5[0-2])$/;
const LATER_AVAILABILITY = /^(?:09|1[0-2])$/;

/** Null for a title that can be had, or may be again, and for words that are not known. */
export function readListStatus(text: string, column: "status" | "availability"): ListStatus | null {
  const word = text.trim().replace(/\s+/g, " ");
  const code = /^\d$/.test(word) ? `0${word}` : word;
  const [gone, later] =
    column === "status" ? [GONE_STATUS, LATER_STATUS] : [GONE_AVAILABILITY, LATER_AVAILABILITY];
  if (GONE.test(word) || gone.test(code)) return "gone";
  return LATER.test(word) || later.test(code) ? "later" : null;
}
