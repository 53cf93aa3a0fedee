import { COUNTRY_CODES } from "./country-codes.ts";

/** The longest number that can be dialled has 15 digits, its country's code included (ITU-T E.164). */
const DIALLED = /^\+\d{6,15}$/;

/**
 * One international number from the two fields of the sign-up form: `+233` and `024 412 3456` make `+233244123456`.
 * Spaces and what people write between digits are dropped, and so is a leading 0. A number typed with its own plus
 * sign says more than the list, and stays.
 */
export function composePhone(countryKey: string, typed: string): string {
  const number = typed.replace(/[\s().\-/]/g, "");
  if (number.startsWith("+")) return number;
  const callingCode = COUNTRY_CODES.find(({ key }) => key === countryKey)?.callingCode ?? "";
  return callingCode + number.replace(/^0/, "");
}

/** Whether a composed number could be dialled at all. */
export function isDialled(phone: string): boolean {
  return DIALLED.test(phone);
}
