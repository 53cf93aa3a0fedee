/*
 * What codes of ONIX messages mean, by EDItEUR's lists of codes: those that decide what a product is in the shop.
 */

/** List 58: prices that customers pay. All others are what a supplier charges a shop. */
const RETAIL_PRICES: Readonly<Record<string, string>> = {
  "02": "Retail price including tax",
  "04": "Fixed retail price including tax",
  "42": "Publisher's retail price including tax",
  "34": "Importer's fixed retail price including tax",
  "01": "Retail price excluding tax",
  "03": "Fixed retail price excluding tax",
  "41": "Publisher's retail price excluding tax",
  "33": "Importer's fixed retail price excluding tax",
  "31": "Retail price excluding tax, with freight",
  "22": "Retail price before publication, including tax",
  "24": "Fixed retail price before publication, including tax",
  "21": "Retail price before publication, excluding tax",
  "23": "Fixed retail price before publication, excluding tax",
  "12": "Special retail price including tax",
  "14": "Special fixed retail price including tax",
  "11": "Special retail price excluding tax",
  "13": "Special fixed retail price excluding tax",
  "": "Price of no stated type",
};

/** The best first: with tax, then without, then for special occasions, then of no type. */
const RETAIL_ORDER = "02 04 42 34 01 03 41 33 31 22 24 21 23 12 14 11 13".split(" ");

/** The place of a retail price among others; null for a trade price. */
export function retailRank(type: string): number | null {
  if (!Object.hasOwn(RETAIL_PRICES, type)) return null;
  return type === "" ? RETAIL_ORDER.length : RETAIL_ORDER.indexOf(type);
}

export const priceTypeWords = (type: string): string =>
  RETAIL_PRICES[type] ?? (/^(?:07|09|17|27)$/.test(type) ? "Trade price including tax" : "Trade price");

/** List 59: a price for everyone, or one for export, before all that need a condition. */
export function qualifierRank(qualifier: string): number {
  if (/^(?:00|05)?$/.test(qualifier)) return 0;
  return qualifier === "02" ? 1 : 2;
}

/** List 57. */
export const UNPRICED: Readonly<Record<string, string>> = {
  "01": "Free of charge",
  "02": "Price to be announced",
  "03": "Not sold separately",
  "04": "Price on request",
};

/** What the shop's readers of kinds know, or the word of another product, which they refuse. */
export type OnixKind = { kind: string; deliveredAs?: "Files" | "Licence codes" };

/** List 150 of 3.0, and what differs in list 7 of 2.1. */
export function onixKind(form: string): OnixKind {
  if (/^(?:E|DG$|DH$|DN$)/.test(form)) return { kind: "Digital", deliveredAs: "Files" };
  if (form.startsWith("L")) return { kind: "Digital", deliveredAs: "Licence codes" };
  if (/^(?:P[BCDFKLMOPRST]|Z[OP])$/.test(form)) return { kind: "Stationery" };
  const other = OTHER_FORMS[form.charAt(0)];
  return { kind: other ?? "Book" };
}

const OTHER_FORMS: Readonly<Record<string, string>> = {
  A: "Audio",
  D: "CD-ROM",
  F: "Film",
  M: "Microfilm",
  V: "Video",
  Z: "Merchandise",
};

/** Displays and promotional material, by their form, and packs for the trade alone, by list 2. */
export const isTradeOnly = (form: string, composition: string): boolean =>
  form.startsWith("X") || /^(?:20|30|31)$/.test(composition);

/** List 21: what makes an edition another one, where it has no number. */
export const EDITIONS: Readonly<Record<string, string>> = {
  ABR: "Abridged edition",
  ADP: "Adapted edition",
  ANN: "Annotated edition",
  BLL: "Bilingual edition",
  ENL: "Enlarged edition",
  FAC: "Facsimile edition",
  ILL: "Illustrated edition",
  INT: "International edition",
  LTE: "Large type edition",
  NED: "New edition",
  REV: "Revised edition",
  SCH: "School edition",
  SMP: "Simplified edition",
  STU: "Student edition",
  TCH: "Teacher's edition",
  UBR: "Unabridged edition",
  ULP: "Ultra large print edition",
};

/** List 54 of release 2.1, in the words that price lists use. */
export const OLD_AVAILABILITY: Readonly<Record<string, string>> = {
  AB: "Cancelled",
  NP: "Not yet published",
  OI: "Out of stock indefinitely",
  OP: "Out of print",
  OR: "Replaced by a new edition",
  PP: "Postponed",
  RM: "Remaindered",
  WR: "Withdrawn",
};

/** The first letters of BISAC's codes, where a subject has no name. */
const BISAC =
  "ANT Antiques|ARC Architecture|ART Art|BIB Bibles|BIO Biography|BUS Business & Economics|CGN Comics|CKB Cooking|COM Computing|" +
  "CRA Crafts|DES Design|DRA Drama|EDU Education|FAM Family|FIC Fiction|FOR Languages|GAM Games|GAR Gardening|HEA Health|HIS History|" +
  "HUM Humour|JNF Children's Non-fiction|JUV Children's Fiction|LAN Language Arts|LAW Law|LCO Literary Collections|" +
  "LIT Literary Criticism|MAT Mathematics|MED Medicine|MUS Music|NAT Nature|PER Performing Arts|PHI Philosophy|PHO Photography|" +
  "POE Poetry|POL Politics|PSY Psychology|REF Reference|REL Religion|SCI Science|SEL Self-help|SOC Social Science|SPO Sports|" +
  "STU Study Aids|TEC Technology|TRA Transport|TRV Travel|YAF Teenage Fiction|YAN Teenage Non-fiction";

/** Thema's codes of school subjects and of what else schools read; the longest that a code begins with counts. */
const THEMA =
  "YPA Art|YPAD Music|YPC Language & Literacy|YPJ Social Studies|YPJH History|YPJT Geography|YPM Science & Mathematics|YPMF Mathematics|" +
  "YPMP Science|YPMP1 Biology|YPMP3 Chemistry|YPMP5 Physics|YPR Religious Studies|YPZ Study Guides|YB Early Learning|YD Poetry|" +
  "YF Children's Fiction|YN Children's Non-fiction|YR Children's Reference|A Art|C Language|D Literature|F Fiction|G Reference|" +
  "J Social Science|JN Education|K Business & Economics|L Law|M Medicine|N History|P Science & Mathematics|PB Mathematics|" +
  "PH Physics|PN Chemistry|PS Biology|Q Religion & Philosophy|R Geography|S Sports|T Technology|U Computing";

const asTable = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split("|").map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]),
  );

const SCHEMES: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  "10": asTable(BISAC),
  "93": asTable(THEMA),
};

/** List 27's main schemes: a code as a shop's shelf calls it; empty where it has no such name. */
export function subjectOfCode(scheme: string, code: string): string {
  const table = SCHEMES[scheme];
  for (let length = Math.min(code.length, 5); table && length > 0; length -= 1) {
    const name = table.get(code.slice(0, length));
    if (name) return name;
  }
  return "";
}
