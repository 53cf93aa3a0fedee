import {
  DEFAULT_ROUNDING,
  type PriceConversion,
  ROUNDINGS,
  readAddition,
  readRate,
  readRounding,
} from "#app/office/catalogue/book-import/price-conversion.ts";
import { cedisFromPesewas } from "#shared/text/money.ts";

/** What was typed about prices that may not be in cedis. */
export type TypedMoney = {
  /** What prices are in that do not say it; empty for what the list says. */
  currency: string;
  /** By currency. */
  rates: Readonly<Record<string, string>>;
  percent: string;
  roundTo: string;
  source: string;
};

/** A conversion as it is typed. */
export function typedConversion({
  rates,
  percent,
  roundTo,
}: PriceConversion): Pick<TypedMoney, "rates" | "percent" | "roundTo"> {
  return {
    rates: Object.fromEntries(Object.entries(rates).map(([code, rate]) => [code, String(rate)])),
    percent: String(percent),
    roundTo: ROUNDINGS.find((one) => Number(one) === cedisFromPesewas(roundTo)) ?? "",
  };
}

export type MoneyErrors = Partial<Record<keyof TypedMoney, string>>;

const MAX_SOURCE_LENGTH = 200;

/**
 * How prices become cedis: null where all are, or what is wrong with what was typed.
 * @param base what prices are in that do not say it; null if that is not clear
 * @param foreign the currencies that need a rate
 */
export function readTypedMoney(
  typed: TypedMoney,
  base: string | null,
  foreign: readonly string[],
): { conversion: PriceConversion | null; errors: MoneyErrors } {
  const errors: MoneyErrors = {};
  if (base === null) errors.currency = "Choose what the prices are in";
  if (foreign.length === 0) return { conversion: null, errors };
  const rates: Record<string, number> = {};
  for (const code of foreign) {
    const rate = readRate(typed.rates[code] ?? "");
    if (rate === null) errors.rates = "Enter how many cedis it costs, such as 15.80";
    else rates[code] = rate;
  }
  const percent = readAddition(typed.percent);
  if (percent === null) errors.percent = "Enter a percentage, such as 12";
  if ([...typed.source].length > MAX_SOURCE_LENGTH)
    errors.source = `The name can have up to ${MAX_SOURCE_LENGTH} characters`;
  const conversion = {
    rates,
    percent: percent ?? 0,
    roundTo: readRounding(typed.roundTo) ?? DEFAULT_ROUNDING,
  };
  return { conversion, errors };
}
