/**
 * Which currency a text names: a heading ('Price (£)', 'RRP US$'), a cell ('USD 8.00'), a sentence ('All prices in US Dollars') or
 * a spreadsheet's number format. Currencies are known by their ISO codes; a sign that none of these has stands for itself.
 */

export const CEDIS = "GHS";

type Currency = { code: string; name: string; sign?: string; pattern: string };

/** Letters stand around a code or word only where a heading has lost its spaces: 'PriceUSD', 'GBPRRP'. */
const BEHIND = "(?:(?<![\\p{L}])|(?<=price|rrp|amount))";
const BEFORE = "(?:(?![\\p{L}])|(?=price|rrp))";
/** 'UK RRP', 'Price UK': a country is a currency only beside its price. */
const PRICE_IN = "(?<=(?:price|rrp)\\s*[(:,/-]?\\s*)";
const OF_PRICE = "(?=\\s*(?:rrp|price|list|retail)(?!\\p{L}))";

/** Signs that end like the dollar's. */
const DOLLARS: Readonly<Record<string, string>> = {
  BRL: "(?<!\\p{L})R\\s?\\$|",
  HKD: "(?<!\\p{L})HK\\s?\\$|",
  LRD: "(?<!\\p{L})LR?D?\\s?\\$|",
  NZD: "(?<!\\p{L})NZD?\\s?\\$|",
  SGD: "(?<!\\p{L})SG?D?\\s?\\$|",
};

const CURRENCIES: readonly Currency[] = [
  {
    code: CEDIS,
    name: "Ghana cedis",
    sign: "GH₵",
    pattern: `GH\\s?[₵¢?\\uFFFD]|[₵¢]|${BEHIND}(?:GH[SC]|(?:new |ghana(?:ian)? )?cedis?)${BEFORE}`,
  },
  {
    code: "CAD",
    name: "Canadian dollars",
    sign: "C$",
    pattern: `(?<!\\p{L})CA?N?\\s?\\$|${BEHIND}(?:CAD|canadian dollars?)${BEFORE}`,
  },
  {
    code: "AUD",
    name: "Australian dollars",
    sign: "A$",
    pattern: `(?<!\\p{L})AU?\\s?\\$|${BEHIND}(?:AUD|australian dollars?)${BEFORE}`,
  },
  {
    code: "USD",
    name: "US dollars",
    sign: "US$",
    pattern: `(?:(?<!\\p{L})U\\.?S\\.?A?\\s?)?\\$|${BEHIND}(?:USD|(?:U\\.?S\\.?A?\\.?|american)?\\s?dollars?)${BEFORE}|(?<!\\p{L})USA?${OF_PRICE}|${PRICE_IN}USA?(?!\\p{L})`,
  },
  {
    code: "GBP",
    name: "British pounds",
    sign: "£",
    pattern: `£|₤|${BEHIND}(?:GBP|UKP|STG|pounds? sterling|sterling|(?:british |uk |gb )?pounds?)${BEFORE}|(?<!\\p{L})UK${OF_PRICE}|${PRICE_IN}UK(?!\\p{L})`,
  },
  { code: "EUR", name: "euros", sign: "€", pattern: `€|${BEHIND}(?:EUR|euros?)${BEFORE}` },
  { code: "NGN", name: "Nigerian naira", sign: "₦", pattern: `₦|${BEHIND}(?:NGN|nairas?)${BEFORE}` },
  { code: "INR", name: "Indian rupees", sign: "₹", pattern: `₹|₨|${BEHIND}(?:INR|Rs\\.?|rupees?)${BEFORE}` },
  { code: "XOF", name: "CFA francs", pattern: `${BEHIND}(?:XOF|F?CFA(?: francs?)?|francs? CFA)${BEFORE}` },
  { code: "ZAR", name: "South African rand", pattern: `${BEHIND}(?:ZAR|rands?)${BEFORE}` },
  { code: "KES", name: "Kenyan shillings", pattern: `${BEHIND}(?:KES|KSh\\.?|kenyan? shillings?)${BEFORE}` },
  { code: "CNY", name: "Chinese yuan", pattern: `${BEHIND}(?:CNY|RMB|yuan)${BEFORE}` },
  ...(
    "AED BRL CHF CZK DKK EGP ETB GMD HKD HUF IDR ILS JPY KRW LRD MAD MUR MWK MYR NOK NZD PHP PKR PLN RWF SAR SEK SGD SLE SLL THB " +
    "TZS UGX XAF ZMW ZWG"
  )
    .split(" ")
    .map((code) => ({ code, name: code, pattern: `${DOLLARS[code] ?? ""}${BEHIND}${code}${BEFORE}` })),
];

/** The named currencies in the order of the list, then any other sign of one. */
const NAMED = new RegExp(`${CURRENCIES.map(({ pattern }) => `(${pattern})`).join("|")}|(\\p{Sc})`, "giu");

/** Most cells of a list are a plain number. */
const isPlainNumber = (text: string) => /^[\d.,\s]*$/.test(text);

/** The currencies that a text names, each once. */
export function currenciesIn(text: string): string[] {
  if (isPlainNumber(text)) return [];
  const found = new Set<string>();
  for (const [whole, ...groups] of text.matchAll(NAMED)) {
    const place = groups.findIndex((group) => typeof group === "string");
    found.add(CURRENCIES[place]?.code ?? whole);
  }
  return [...found];
}

/** The text without the currencies that it names, or with another sign for each: 'Price (£)' → 'Price ()', 'USD 8.00' → ' 8.00'. */
export function withoutCurrencies(text: string, instead = ""): string {
  return isPlainNumber(text) ? text : text.replace(NAMED, instead);
}

/** 'British pounds', 'SEK'. */
export function currencyName(code: string): string {
  return CURRENCIES.find((known) => known.code === code)?.name ?? code;
}

/** The sign that stands before an amount: '£', 'US$', 'SEK '. */
export function currencySign(code: string): string {
  return CURRENCIES.find((known) => known.code === code)?.sign ?? `${code} `;
}

/** All that have a name, to choose from. */
export const currencyCodes: readonly string[] = CURRENCIES.map(({ code }) => code);
