/**
 * Money in Ghana cedis. The database holds cedis as numeric(10,2) and returns them as plain numbers; queries turn them
 * into whole pesewas (1 cedi = 100 pesewas) and back, so that 0.1 + 0.2 never reaches a customer's total.
 * The formatter is our own because Intl writes the cedi differently in Node and in browsers, which would break hydration.
 */

declare const unit: unique symbol;

/** A whole number of pesewas. The brand keeps a price in cedis from being taken for one. */
export type Pesewas = number & { readonly [unit]: "pesewas" };

/** The most that one price or total can be: what numeric(10,2) holds. */
export const maxPesewas = 9_999_999_999 as Pesewas;

/**
 * Pesewas of a price in cedis as the database gives it.
 * @throws RangeError when it is not a finite number or is too large to be exact.
 */
export function pesewasFromCedis(priceCedis: number): Pesewas {
  const pesewas = Math.round(priceCedis * 100);
  if (!Number.isSafeInteger(pesewas)) throw new RangeError(`not an amount of money: ${priceCedis}`);
  return pesewas as Pesewas;
}

/** The number that the database's numeric(10,2) columns take: cedis with at most two decimals. */
export function cedisFromPesewas(pesewas: Pesewas): number {
  return pesewas / 100;
}

/** A row with one of its amounts in pesewas. */
export type InPesewas<Row, Amount extends keyof Row> = Omit<Row, Amount> & Record<Amount, Pesewas>;

/** A row as a query hands it out: its amount, which the database gives in cedis, is in pesewas under the same name. */
export function inPesewas<Amount extends string, Row extends Record<Amount, number>>(
  row: Row,
  amount: Amount,
): InPesewas<Row, Amount> {
  return { ...row, [amount]: pesewasFromCedis(row[amount]) };
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
