import { CEDIS, currenciesIn, withoutCurrencies } from "#shared/text/currencies.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { Reading } from "./book-import-cells.ts";
import type { BookImportMapping } from "./book-import-columns.ts";
import { ABOVE_HEADINGS, type TableRow } from "./book-table.ts";
import type { ListedPrice, PriceConversion } from "./price-conversion.ts";
import type { RowDoubt } from "./row-kinds.ts";

/*
 * In which currencies a list's prices are. The cell's own text counts first, then the row's column for it, then the number format that a
 * workbook shows it in, then what the whole list is in: by its heading, or by a line above the headings. Nothing of it: cedis.
 */

/** What prices without a currency of their own are in, and how those that are not in cedis become cedis. */
export type ListMoney = { base: string; conversion: PriceConversion | null };

export const inCedis: ListMoney = { base: CEDIS, conversion: null };

type PriceColumns = Pick<BookImportMapping["columns"], "price" | "currency" | "title">;

/** The amount in hundredths, null if the text isn't an amount, and whether the row's own text names the currency. */
type CellPrice = { amount: Pesewas | null; currency: string; isStated: boolean };

/**
 * What a price's cell says.
 * @param text of the cell, trimmed
 */
export function readListedPrice(
  text: string,
  row: TableRow,
  columns: PriceColumns,
  base: string,
): Reading<CellPrice> {
  const stated = currenciesIn(text);
  if (stated.length > 1) return { problem: `The price ${text} names several currencies.` };
  // '£12 £10' is no £1,210.
  if (/\d\s*\|[\s|]*\d/.test(withoutCurrencies(text, "|")))
    return { problem: `The price ${text} can be read in two ways. Write it as in 1234.50.` };
  const own = stated[0] ? { value: stated[0] } : ownCurrency(row, columns);
  if (own.problem !== undefined) return own;
  const currency = own.value ?? formatCurrency(row, columns) ?? base;
  // 'GH?45': readPrice knows more spellings of the cedi than headings may have.
  const bare = (currency === CEDIS ? text : withoutCurrencies(text)).trim().replace(LOST_CELL_SIGN, "");
  const amount = readPrice(bare.replace(/[*†‡]+$/, ""));
  if (amount === "ambiguous")
    return { problem: `The price ${text} can be read in two ways. Write it as in 1234.50.` };
  return { value: { amount, currency, isStated: own.value !== null } };
}

/** A price's cell with its currency in front, where nothing else in the row's text says it; such as for a list of the rows left out. */
export function markCurrency(text: string, row: TableRow, columns: PriceColumns, base: string): string {
  const { value } = readListedPrice(text.trim(), row, columns, base) as { value?: CellPrice };
  if (!value || value.isStated || !/\d/.test(text)) return text;
  return value.currency === CEDIS && base === CEDIS ? text : `${value.currency} ${text}`;
}

/** The currency that the row's own column for it names, or a cell beside the price that has nothing but its sign. */
function ownCurrency({ cells }: TableRow, { price, currency }: PriceColumns): Reading<string | null> {
  const named = currency === undefined ? "" : (cells[currency] ?? "").trim();
  if (/^(?:-|n\/?a|none)?$/i.test(named))
    return { value: currency === undefined && price !== undefined ? signBeside(cells, price) : null };
  // A hundredth of the pound.
  if (/^(?:GBp|GBX|p|pence)$/.test(named))
    return { problem: `The price is in pence (${named}). Write it in pounds.` };
  const [known, ...others] = currenciesIn(named);
  if (others.length > 0) return { problem: `The currency ${named} may be one of several. Write one.` };
  const code = known ?? COUNTRIES[named.toUpperCase()];
  if (code) return { value: code };
  if (/^[A-Z]{3}$/i.test(named)) return { value: named.toUpperCase() };
  return { problem: `The currency ${named} is not known. Write its code, such as GBP.` };
}

/** Where a list names the country in place of its currency. */
const COUNTRIES: Readonly<Record<string, string>> = {
  GH: CEDIS,
  GHANA: CEDIS,
  UK: "GBP",
  GB: "GBP",
  US: "USD",
  USA: "USD",
  EU: "EUR",
  NG: "NGN",
  NIGERIA: "NGN",
  IN: "INR",
  INDIA: "INR",
  ZA: "ZAR",
  KE: "KES",
};

function signBeside(cells: readonly string[], price: number): string | null {
  for (const place of [price - 1, price + 1]) {
    const text = (cells[place] ?? "").trim();
    const [known, ...others] = text.length > 4 ? [] : currenciesIn(text);
    if (known && others.length === 0 && withoutCurrencies(text).trim() === "") return known;
  }
  return null;
}

/** The currency that a workbook shows with the cell's number. */
const formatCurrency = ({ currencies }: TableRow, { price }: PriceColumns): string | undefined =>
  price === undefined ? undefined : currencies?.[price];

/** A row as an example of how prices are converted. */
export type PriceExample = ListedPrice & { line: number; title: string };

/** How many examples the plan shows. */
export const PRICE_EXAMPLES = 10;

/** Gathers the currencies of a list, row by row, before anything is taken for a price of the shop. */
export class ListCurrencies {
  /** How many prices name each currency. */
  readonly #named = new Map<string, number>();
  #unnamed = 0;
  readonly #examples: (Omit<PriceExample, "currency"> & { currency: string | null })[] = [];
  readonly #columns: PriceColumns;
  #stated: string[];
  /** Whether the list has a sign or a word that may be another currency's, without saying that its prices are in it. */
  #isUnclear: boolean;

  constructor(headings: readonly string[], columns: PriceColumns) {
    const heading = columns.price === undefined ? "" : (headings[columns.price] ?? "");
    this.#columns = columns;
    this.#stated = currenciesIn(heading);
    this.#isUnclear = LOST_SIGN.test(heading);
  }

  /**
   * The rows as the table has them, those above the headings first.
   * @param doubt of a sum, a heading or a note, or what may be one: it may say what the prices are in
   */
  add(row: TableRow, doubt: RowDoubt | null = null): void {
    const isBook = !doubt?.isSure;
    const { price: place, title } = this.#columns;
    if (row.problem === ABOVE_HEADINGS && this.#stated.length === 0)
      this.#stated = currenciesIn(row.cells.filter((cell) => OF_PRICES.test(cell)).join("\n"));
    if (doubt !== null || row.problem === ABOVE_HEADINGS)
      this.#isUnclear ||= currenciesIn(row.cells.join("\n")).some((code) => code !== CEDIS);
    if ((row.problem !== undefined && isBook) || row.problem === ABOVE_HEADINGS || place === undefined)
      return;
    const text = (row.cells[place] ?? "").trim();
    if (text === "") return;
    // '?45.00' was written with a sign that its encoding lacks.
    if (isBook && LOST_CELL_SIGN.test(text)) this.#isUnclear = true;
    const isUnit = withoutCurrencies(text).replace(/[()[\]\s]/g, "") === "";
    if (isUnit && this.#isFirst) this.#stated = currenciesIn(text);
    this.#isFirst = false;
    if (isUnit || !isBook) return;
    const { value } = readListedPrice(text, row, this.#columns, UNNAMED) as { value?: CellPrice };
    if (!value || value.amount === null) return;
    const { amount, currency } = value;
    const named = currency === UNNAMED ? null : currency;
    if (named === null) this.#unnamed += 1;
    else this.#named.set(named, (this.#named.get(named) ?? 0) + 1);
    if (named === CEDIS || this.#examplesOf(named) >= PRICE_EXAMPLES) return;
    const known = title === undefined ? "" : (row.cells[title] ?? "").trim().slice(0, 200);
    this.#examples.push({ line: row.line, title: known, amount, currency: named });
  }

  #isFirst = true;

  #examplesOf(currency: string | null): number {
    return this.#examples.filter((example) => example.currency === currency).length;
  }

  /**
   * What the heading, or a line above, says of prices that do not say it themselves: cedis if nothing does, null if several are named, or
   * another currency anywhere in the list.
   */
  get base(): string | null {
    const [first, ...others] = this.#stated;
    const isUnclear = first === undefined ? this.#isUnclear : others.length > 0;
    return isUnclear && this.#unnamed > 0 ? null : (first ?? CEDIS);
  }

  /** How many prices are in each currency other than cedis. */
  foreign(base: string): Map<string, number> {
    const counts = new Map(this.#named);
    if (this.#unnamed > 0) counts.set(base, (counts.get(base) ?? 0) + this.#unnamed);
    counts.delete(CEDIS);
    return counts;
  }

  /** Whether any price does not say in which currency it is. */
  get hasUnnamed(): boolean {
    return this.#unnamed > 0;
  }

  /** The first prices that are not in cedis. */
  examples(base: string): PriceExample[] {
    return this.#examples
      .map((example) => ({ ...example, currency: example.currency ?? base }))
      .filter(({ currency }) => currency !== CEDIS)
      .sort((one, other) => one.line - other.line)
      .slice(0, PRICE_EXAMPLES);
  }
}

const UNNAMED = "";

/** Before an amount: 'GH?45' says what it was. */
const LOST_CELL_SIGN = /^[?\uFFFD]\s*(?=[\d.,])/;

/** What is left of a pound or naira sign that was written in another encoding, or typed. */
const LOST_SIGN = /[?#\uFFFDœ]/;

/** A line above the headings that speaks of the list's prices. */
const OF_PRICES =
  /\b(?:prices?|rrp|srp|amounts?|currency|figures|quoted|cost|values)\b|^\W*(?:in )?[A-Z]{3}\W*$/i;
