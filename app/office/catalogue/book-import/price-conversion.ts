import { currencySign } from "#shared/text/currencies.ts";
import { formatCedis, maxPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { withoutLeftOutSuffix } from "./rows-left-out.ts";

/** How prices of another currency become the shop's: by a rate, with what is added for freight and profit, rounded. */
export interface PriceConversion {
  /** What one of each currency costs in cedis, by its code. */
  rates: Readonly<Record<string, number>>;
  /** Added to every price, in per cent; less than 0 takes away. */
  percent: number;
  /** Prices are multiples of this. */
  roundTo: Pesewas;
}

/** A price as its list has it: hundredths of this currency. */
export type ListedPrice = { amount: number; currency: string };

/** To these multiples prices can be rounded, in cedis. */
export const ROUNDINGS: readonly string[] = ["0.01", "0.05", "0.10", "0.50", "1", "5", "10"];

/** Where nothing is said, as for a change of prices. */
export const DEFAULT_ROUNDING = 50 as Pesewas;

/** Rates have at most six decimals, percentages two. */
const RATE_UNITS = 1_000_000;
const PERCENT_UNITS = 100;

/**
 * The shop's price, rounded once, to the nearest multiple, a half upwards; at least one multiple, unless the book is free.
 * @returns null without a rate, or for more than the shop can hold
 */
export function convertPrice(
  { amount, currency }: ListedPrice,
  { rates, percent, roundTo }: PriceConversion,
): Pesewas | null {
  const rate = rates[currency];
  if (rate === undefined) return null;
  if (amount === 0) return 0 as Pesewas;
  const exact =
    BigInt(amount) *
    BigInt(Math.round(rate * RATE_UNITS)) *
    BigInt(Math.round((100 + percent) * PERCENT_UNITS));
  const multiple = BigInt(RATE_UNITS * 100 * PERCENT_UNITS) * BigInt(roundTo);
  const count = (2n * exact + multiple) / (2n * multiple);
  const pesewas = Number(count > 0n ? count : 1n) * roundTo;
  return pesewas > maxPesewas ? null : (pesewas as Pesewas);
}

/** '15.80', '0,0195'; null when it is no rate. */
export function readRate(typed: string): number | null {
  const bare = typed.trim().replace(",", ".");
  const rate = /^\d{1,6}(?:\.\d{1,6})?$/.test(bare) ? Number(bare) : 0;
  return rate > 0 ? rate : null;
}

/** '12', '12.5 %', '-5'; nothing is 0. Null when it is no percentage from -90 to 900. */
export function readAddition(typed: string): number | null {
  const bare = typed.replace(/[%\s]/g, "").replace("−", "-").replace(",", ".");
  if (bare === "") return 0;
  const percent = /^[+-]?\d{1,3}(?:\.\d{1,2})?$/.test(bare) ? Number(bare) : Number.NaN;
  return percent >= -90 && percent <= 900 ? percent : null;
}

/** '0.50', '0.5' */
export function readRounding(typed: string): Pesewas | null {
  const known = ROUNDINGS.find((one) => Number(one) === Number(typed));
  return known === undefined ? null : pesewasFromCedis(Number(known));
}

/** '£12.99', 'GH₵12.50' */
export function formatListed({ amount, currency }: ListedPrice): string {
  return formatCedis(amount as Pesewas).replace("GH₵", currencySign(currency));
}

/** '£1 = GH₵15.80, 12 % added, rounded to GH₵0.50' */
export function conversionWords({ rates, percent, roundTo }: PriceConversion): string {
  const each = Object.entries(rates).map(([code, rate]) => `${currencySign(code)}1 = GH₵${rateText(rate)}`);
  const added = percent === 0 ? [] : [`${Math.abs(percent)} % ${percent > 0 ? "added" : "taken off"}`];
  return [...each, ...added, `rounded to ${formatCedis(roundTo)}`].join(", ");
}

/** At least two decimals. */
const rateText = (rate: number) => String(rate).replace(/^\d+$/, "$&.00").replace(/\.\d$/, "$&0");

/**
 * What a list is known by next time: its file's name without numbers and dates. 'Collins_prices-2026-11 (2).xlsx' → 'Collins prices'.
 */
export function sourceOf(fileName: string): string {
  const words = withoutLeftOutSuffix(fileName.replace(/\.[^.]*$/, ""))
    .replace(/[\d_()[\].+–-]+/g, " ")
    .replace(
      /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|ober)?\b/gi,
      " ",
    )
    .trim()
    .replace(/\s+/g, " ");
  return words === "" ? "Price list" : words.slice(0, 200).toWellFormed().trim();
}
