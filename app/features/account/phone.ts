import { dialledNumber, isPhone } from "#app/features/delivery/phone.ts";
import { COUNTRY_CODES } from "./country-codes.ts";

/**
 * One international number from the two fields of the sign-up form: `+233` and `024 412 3456` make `+233244123456`.
 * Spaces and punctuation between digits are dropped, and so is a leading 0. A number typed with its own plus overrides
 * the selected country.
 */
export function composePhone(chosen: string, typed: string): string {
  const number = dialledNumber(typed);
  if (number.startsWith("+")) return number;
  const [, callingCode = ""] = COUNTRY_CODES.find(([country]) => country === chosen) ?? [];
  return callingCode + number.replace(/^0/, "");
}

export function isDiallable(phone: string): boolean {
  return phone.startsWith("+") && isPhone(phone);
}
