export type PhoneLinks = { call: string; whatsApp: string };

/**
 * Links for a phone number as customers type it: '024 412 3456' and '+233 24 412 3456' are the same number.
 * @returns null if it has too few digits
 */
export function phoneLinks(typed: string): PhoneLinks | null {
  const digits = typed.replace(/\D/g, "");
  const isForeign = typed.trim().startsWith("+");
  // Ghana's numbers have nine digits after the 0 or the country's code.
  const international =
    !isForeign && digits.startsWith("0") && digits.length === 10 ? `233${digits.slice(1)}` : digits;
  if (international.length < 9) return null;
  return {
    call: `tel:${isForeign || international !== digits ? `+${international}` : digits}`,
    whatsApp: `https://wa.me/${international}`,
  };
}
