import type { BackendClient } from "#app/lib/backend/client.ts";
import {
  conversionOf,
  listConversions,
  type RememberedConversion,
} from "#app/office/catalogue/book-import/import-conversions.queries.ts";
import type { ListCurrencies, ListMoney } from "#app/office/catalogue/book-import/list-prices.ts";
import {
  convertPrice,
  DEFAULT_ROUNDING,
  formatListed,
  type PriceConversion,
  readAddition,
  readRate,
  readRounding,
} from "#app/office/catalogue/book-import/price-conversion.ts";
import { currencyName } from "#shared/text/currencies.ts";
import { formatDay } from "#shared/text/dates.ts";
import { cedisFromPesewas, formatCedis, type Pesewas } from "#shared/text/money.ts";
import { ownText } from "./book-file.ts";
import { CommandError } from "./command.ts";
import type { Reporter } from "./import-report.ts";

/** What was typed about a list's money. */
export interface MoneyOptions {
  /** What prices that do not say it are in. */
  currency?: string;
  /** Cedis for one of each currency. */
  rates: Readonly<Record<string, number>>;
  percent: number | null;
  roundTo: Pesewas | null;
}

/** @throws CommandError that says how it is typed */
export function readMoneyOptions(typed: {
  currency?: string;
  rate?: string[];
  add?: string;
  round?: string;
}): MoneyOptions {
  const rates: Record<string, number> = {};
  for (const text of typed.rate ?? []) {
    const [code = "", amount = ""] = text.split("=");
    const rate = readRate(amount);
    if (rate === null || !isCode(code))
      throw new CommandError(
        `--rate must say what one of a currency costs in cedis, such as GBP=15.80, not ${text}`,
      );
    rates[code.toUpperCase()] = rate;
  }
  if (typed.currency !== undefined && !isCode(typed.currency))
    throw new CommandError("--currency must be a code of three letters, such as GBP");
  const percent = typed.add === undefined ? null : readAddition(typed.add);
  if (typed.add !== undefined && percent === null)
    throw new CommandError("--add must be a percentage from -90 to 900, such as 12");
  const roundTo = typed.round === undefined ? null : readRounding(typed.round);
  if (typed.round !== undefined && roundTo === null)
    throw new CommandError("--round must be 0.01, 0.05, 0.10, 0.50, 1, 5 or 10");
  return { currency: typed.currency?.toUpperCase(), rates, percent, roundTo };
}

const isCode = (text: string) => /^(?:[a-z]{3}|\p{Sc})$/iu.test(text);

/**
 * How a list's prices become cedis; nothing to do where they are. What was typed is shown with its first prices.
 * @throws CommandError that says what to type, where a rate is missing or a currency is not clear
 */
export async function decideMoney(
  client: BackendClient,
  list: ListCurrencies,
  source: string,
  options: MoneyOptions,
  report: Reporter,
): Promise<ListMoney> {
  const base = options.currency ?? list.base;
  if (base === null)
    throw new CommandError(
      "Nothing was imported. The file names several currencies for its prices. Say which one prices are in that name none: --currency GBP",
    );
  const foreign = list.foreign(base);
  const typed = Object.keys(options.rates);
  const unused = typed.find((code) => !foreign.has(code));
  if (unused !== undefined)
    throw new CommandError(
      `Nothing was imported. No price of this file is in ${unused}. If its prices are, without saying so, add --currency ${unused}`,
    );
  if (foreign.size === 0) {
    if (options.percent !== null || options.roundTo !== null)
      throw new CommandError(
        "Nothing was imported. --add and --round are for prices in another currency, and these are in cedis.",
      );
    return { base, conversion: null };
  }
  const counts = [...foreign].map(([code, count]) => `${count.toLocaleString("en-GB")} in ${nameOf(code)}`);
  const missing = [...foreign.keys()].filter((code) => options.rates[code] === undefined);
  if (missing.length > 0) {
    const rates = missing.map((code) => `--rate ${code}=…`).join(" ");
    const last = conversionOf(await listConversions(client), source);
    throw new CommandError(
      [
        `Nothing was imported. Prices of this file are not in cedis: ${counts.join(", ")}.`,
        `Say what 1 ${missing.join(" and 1 ")} costs in cedis, what is added in per cent and what to round to: ${rates} --add 12 --round 0.50`,
        ...(last ? [lastUsed(last)] : []),
      ].join("\n"),
    );
  }
  const conversion: PriceConversion = {
    rates: options.rates,
    percent: options.percent ?? 0,
    roundTo: options.roundTo ?? DEFAULT_ROUNDING,
  };
  report.line(`Prices: ${counts.join(", ")}. ${optionsOf(conversion)}`);
  for (const example of list.examples(base)) {
    const price = convertPrice(example, conversion);
    report.line(
      `  line ${example.line}: ${ownText(example.title)}: ${formatListed(example)} → ${price === null ? "more than the shop can hold" : formatCedis(price)}`,
    );
  }
  return { base, conversion };
}

const nameOf = (code: string) => (currencyName(code) === code ? code : `${currencyName(code)} (${code})`);

const lastUsed = ({ source, conversion, appliedAt }: RememberedConversion) =>
  `Last used for ${source}, on ${formatDay(appliedAt)}: ${optionsOf(conversion)}`;

/** As they are typed: '--rate GBP=15.8 --add 12 --round 0.5'. */
export function optionsOf({ rates, percent, roundTo }: PriceConversion): string {
  const typed = Object.entries(rates).map(([code, rate]) => `--rate ${code}=${rate}`);
  return `${typed.join(" ")} --add ${percent} --round ${cedisFromPesewas(roundTo).toFixed(2)}`;
}
