import { dialledNumber, isPhone, writtenPhone } from "#shared/text/phone.ts";
import { COUNTRY_CODES } from "./country-codes.ts";

/**
 * One international number from the two fields of the sign-up form: `+233` and `024 412 3456` make `+233 24 412 3456`.
 * A leading 0 is dropped. A number typed with its own country's code overrides the selected country.
 */
export function composePhone(chosen: string, typed: string): string {
  const number = dialledNumber(typed);
  if (/^(?:\+|00[1-9]\d{8})/.test(number)) return writtenPhone(number);
  const [, callingCode = ""] = COUNTRY_CODES.find(([country]) => country === chosen) ?? [];
  return writtenPhone(callingCode + number.replace(/^0/, ""));
}

export function isDiallable(phone: string): boolean {
  return phone.startsWith("+") && isPhone(phone);
}
