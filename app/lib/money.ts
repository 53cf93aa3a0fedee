/**
 * Money in Ghana cedis. The database holds cedis as numeric(10,2) and answers them as plain numbers; all arithmetic
 * here is in whole pesewas (1 cedi = 100 pesewas), so that 0.1 + 0.2 never reaches a customer's total.
 * The formatter is our own because Intl writes the cedi differently in Node and in browsers, which would break hydration.
 */

declare const unit: unique symbol;

/** A whole number of pesewas. The brand keeps a price in cedis from being taken for one. */
export type Pesewas = number & { readonly [unit]: "pesewas" };

/** The most that one price or total can be: what numeric(10,2) holds. */
export const maxPesewas = 9_999_999_999 as Pesewas;

/**
 * Pesewas of a price in cedis as the database gives it.
 * @throws RangeError when it is no finite number or too large to be exact.
 */
export function pesewasFromCedis(priceCedis: number): Pesewas {
  // + 0 turns -0 into 0, so that a tiny negative never prints as "-0.00".
  const pesewas = Math.round(priceCedis * 100) + 0;
  if (!Number.isSafeInteger(pesewas)) throw new RangeError(`not an amount of money: ${priceCedis}`);
  return pesewas as Pesewas;
}

/** The number that the database's numeric(10,2) columns take: cedis with at most two decimals. */
export function cedisFromPesewas(pesewas: Pesewas): number {
  return pesewas / 100;
}

/**
 * Reads an amount that a person typed or a spreadsheet holds: '45', '45.5', 'GH₵1,234.50', '₵ 45', 'GHS 45.00'.
 * @returns pesewas, or null when it is not plainly one amount of at least 0 with at most two decimals
 *   (a decimal comma as in '12,50' is refused rather than guessed).
 */
export function parseCedis(text: string): Pesewas | null {
  const match = /^(?:GH₵|GH¢|GHS|GHC|₵|¢)?\s*(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{1,2})?0*)?$/i.exec(
    text.trim(),
  );
  if (match === null) return null;
  const [, whole, fraction] = match;
  if (whole === undefined && fraction === undefined) return null;
  const pesewas = Number((whole ?? "0").replaceAll(",", "")) * 100 + Number((fraction ?? "").padEnd(2, "0"));
  return pesewas <= maxPesewas ? (pesewas as Pesewas) : null;
}

/** Sum of amounts; of none it is 0. */
export function sumPesewas(amounts: Iterable<Pesewas>): Pesewas {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total as Pesewas;
}

/** What a number of copies costs. */
export function timesQuantity(unitPrice: Pesewas, quantity: number): Pesewas {
  return (unitPrice * quantity) as Pesewas;
}

/** 'GH₵1,234.50': prices and most totals. */
export function formatCedis(amount: Pesewas): string {
  return formatWithSign("GH₵", amount);
}

/** '₵1,234.50': the Total of the cart panel and of the checkout. */
export function formatCediSign(amount: Pesewas): string {
  return formatWithSign("₵", amount);
}

function formatWithSign(sign: string, amount: Pesewas): string {
  const digits = String(Math.abs(amount)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${amount < 0 ? "-" : ""}${sign}${whole}.${digits.slice(-2)}`;
}
