import { plainCode } from "./plain-code.ts";

/** Shown beside a field with anything else in it. */
export const PHONE_MALFORMED = "Please enter a valid phone number, such as 024 412 3456 or +233 24 412 3456.";

/** Ghana's numbers have nine digits after the country's code or the leading 0, which spreadsheets drop. */
const GHANA = /^(?:(?:\+?233)0?([1-9]\d{8})|0([1-9]\d{8})|([235]\d{8}))$/;

/** What people typed of a number, as it is dialled: without spaces, punctuation, and what a spreadsheet wrote around it. */
export function dialledNumber(text: string): string {
  return plainCode(text)
    .replace(/^tel(?:ephone)?[.:]+/i, "")
    .replace(/[='"]+/g, "")
    .replace(/^(\d+)\.0$/, "$1")
    .replace(/[ ().\-/]/g, "");
}

/**
 * A phone number as it is stored and shown: '+233 24 412 3456' for a number of Ghana, however it was typed, '+442079460018'
 * for one with another country's code, and the bare digits of any other. It has 6 to 15 digits, country code included
 * (ITU-T E.164). `private.phone` in the database is the same rule; tests check both against the same spellings.
 * @returns null for anything else, and for what nobody can have: one digit repeated, or a country code that begins with 0
 */
export function readPhone(text: string): string | null {
  const bare = dialledNumber(text).replace(/^00/, "+");
  if (!/^\+?\d{6,15}$/.test(bare) || /^\+?(\d)\1*$/.test(bare) || bare.startsWith("+0")) return null;
  const [, ...groups] = GHANA.exec(bare) ?? [];
  const national = groups.find(Boolean);
  return national ? `+233 ${national.slice(0, 2)} ${national.slice(2, 5)} ${national.slice(5)}` : bare;
}

/** Whether a text is a single phone number, with or without a country code. */
export const isPhone = (text: string): boolean => readPhone(text) !== null;

/** A number in the form in which it is shown; a text from before that is none stays as it is. */
export const writtenPhone = (text: string): string => readPhone(text) ?? text.trim();

/** The last nine digits, which are the same however a number of Ghana is written; as `private.phone_key`. */
export const phoneKey = (text: string): string => text.replace(/\D/g, "").slice(-9);

/** Has a phone dial a number. */
export const phoneLink = (text: string): string => `tel:${writtenPhone(text).replace(/[^\d+]/g, "")}`;

/** Opens a WhatsApp chat with a number. */
export const whatsAppAddress = (text: string): string =>
  `https://wa.me/${writtenPhone(text).replace(/\D/g, "")}`;
