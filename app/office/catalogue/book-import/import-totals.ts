import type { Json } from "#shared/calls/database.types.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";

/*
 * How far an import moves prices and stocks, and what is odd about it, in words for the page and the command. What counts as odd is
 * decided in the database (supabase/schema/3-books/15-import-plans.sql).
 */

/** A row of the plan; what doesn't change or isn't there is absent. */
export interface ChangeRow {
  line: number;
  title: string;
  old_title?: string;
  publisher?: string;
  old_price?: Pesewas;
  price?: Pesewas;
  old_stock?: number;
  stock?: number;
}

export interface Oddity {
  kind: OddityKind;
  /** Rows that have it. */
  count: number;
  /** Whether it has to be confirmed before the import. */
  isGrave: boolean;
  /** The first ten. */
  examples: ChangeRow[];
}

export interface ImportTotals {
  /** Prices of books that the shop has, and sums over those that change. */
  prices: { rise: number; fall: number; stay: number; before: Pesewas; after: Pesewas };
  /** The same of copies; those of new books are apart. */
  stocks: { more: number; fewer: number; before: number; after: number; ofNewBooks: number };
  /** The ten largest. */
  priceRatios: ChangeRow[];
  priceAmounts: ChangeRow[];
  stockMoves: ChangeRow[];
  /** Those that must be confirmed first. */
  oddities: Oddity[];
}

type OddityWords = {
  name: string;
  /** What is odd, with how many. */
  what: (count: number) => string;
  /** What it may be. */
  meaning: string;

  /** What of a row shows it. */
  shows: "price" | "title" | "stock" | "publisher" | "copies";
};

const prices = (count: number) => countOf(count, "price");
const books = (count: number) => countOf(count, "book");

/** In the order in which they are shown. */
export const ODDITIES = {
  tenfold: {
    name: "Ten times or a tenth",
    what: (count) =>
      `${prices(count)} ${count === 1 ? "becomes" : "become"} ten times the old one or more, or a tenth or less`,
    meaning: "A decimal point may be missing, or another column was taken for the price.",
    shows: "price",
  },
  same_price: {
    name: "The same price",
    what: (count) => `${books(count)} would get the same price`,
    meaning: "Another column may have been taken for the price, such as a quantity or a year.",
    shows: "price",
  },
  other_title: {
    name: "Another title",
    what: (count) =>
      `${books(count)} would get a title without a word of the old one, or the title of another book`,
    meaning: "The ISBNs may have slipped by a row, so that each book gets what belongs to the next one.",
    shows: "title",
  },
  free: {
    name: "A price of 0",
    what: (count) => `${books(count)} would cost nothing`,
    meaning: "Their price may be missing in the list. Customers could order them for GH₵0.00.",
    shows: "price",
  },
  doubled: {
    name: "Doubled or halved",
    what: (count) => `${prices(count)} more than double or fall by more than half`,
    meaning: "They may be for a pack or a set, in another currency, or of another edition.",
    shows: "price",
  },
  far_price: {
    name: "Far from the others",
    what: (count) => `${books(count)} would be new at a price far from what others in the list cost`,
    meaning: "A decimal point may be missing, or the price is for a pack or a set.",
    shows: "price",
  },
  below_cost: {
    name: "Below cost",
    what: (count) => `${prices(count)} would be below what a copy costs the shop`,
    meaning: "The rate or what is added may be too low, or the price is the supplier's.",
    shows: "price",
  },
  sold_out: {
    name: "Sold out",
    what: (count) => `${books(count)} would have no copies left`,
    meaning:
      "The stock may be another column, or be empty in the list. Customers couldn't order them any more.",
    shows: "stock",
  },
  off_sale: {
    name: "Going off sale",
    what: (count) => `${countOf(count, "title")} would go off sale, now or when the last copies are sold`,
    meaning:
      "Another column may have been taken for the status, or this is a list of titles that are out of print.",
    shows: "copies",
  },
  new_publisher: {
    name: "New publishers",
    what: (count) => `${books(count)} would get a publisher that the shop has never had`,
    meaning: "The name may be spelt in another way, or another column was taken for the publisher.",
    shows: "publisher",
  },
} as const satisfies Record<string, OddityWords>;

export type OddityKind = keyof typeof ODDITIES;

const KINDS = Object.keys(ODDITIES) as OddityKind[];

const oddityKind = (text: string | null) => KINDS.find((kind) => kind === text);

type LoggedRow = Omit<ChangeRow, "price" | "old_price"> & {
  price?: number | null;
  old_price?: number | null;
};

type LoggedTotals = {
  sums: Record<
    | "rise"
    | "fall"
    | "stay"
    | "price_before"
    | "price_after"
    | "more"
    | "fewer"
    | "copies_before"
    | "copies_after"
    | "new_copies",
    number
  >;
  price_ratios: LoggedRow[];
  price_amounts: LoggedRow[];
  stock_moves: LoggedRow[];
  oddities: { kind: string; count: number; level: "odd" | "grave" | null; examples: LoggedRow[] }[];
};

/** The totals of a plan as the database has added them up. A later release's oddities are left out. */
export function readTotals(json: Json): ImportTotals {
  const { sums, ...lists } = json as unknown as LoggedTotals;
  const oddities = lists.oddities.flatMap(({ kind: text, count, level, examples }): Oddity[] => {
    const kind = oddityKind(text);
    if (!kind || level === null) return [];
    return [{ kind, count, isGrave: level === "grave", examples: examples.map(readChangeRow) }];
  });
  return {
    prices: {
      rise: sums.rise,
      fall: sums.fall,
      stay: sums.stay,
      before: pesewasFromCedis(sums.price_before),
      after: pesewasFromCedis(sums.price_after),
    },
    stocks: {
      more: sums.more,
      fewer: sums.fewer,
      before: sums.copies_before,
      after: sums.copies_after,
      ofNewBooks: sums.new_copies,
    },
    priceRatios: lists.price_ratios.map(readChangeRow),
    priceAmounts: lists.price_amounts.map(readChangeRow),
    stockMoves: lists.stock_moves.map(readChangeRow),
    oddities: oddities.sort(
      (a, b) => Number(b.isGrave) - Number(a.isGrave) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
    ),
  };
}

function readChangeRow({ price, old_price, ...row }: LoggedRow): ChangeRow {
  return {
    ...row,
    ...(typeof price === "number" && { price: pesewasFromCedis(price) }),
    ...(typeof old_price === "number" && { old_price: pesewasFromCedis(old_price) }),
  };
}

/** How many prices rise, fall and stay, and what the changed ones sum up to; nothing if none changes. */
export function priceWords({ prices: { rise, fall, stay, before, after } }: ImportTotals): string[] {
  const changed = rise + fall;
  if (changed === 0) return [];
  const share = fall > 0 && rise > 0 ? ` (${percent(fall / changed)} of the changes)` : "";
  return [
    `${prices(rise)} ${rise === 1 ? "rises" : "rise"}, ${number(fall)} ${fall === 1 ? "falls" : "fall"}${share}, ${number(stay)} ${stay === 1 ? "stays" : "stay"}.`,
    `Together, the changed ones go from ${formatCedis(before)} to ${formatCedis(after)}${difference(before, after)}.`,
  ];
}

/** How many stocks rise and fall, and how many copies that are; nothing if none changes. */
export function copyWords({ stocks: { more, fewer, before, after, ofNewBooks } }: ImportTotals): string[] {
  const words: string[] = [];
  if (more + fewer > 0) {
    words.push(
      `Stock rises for ${books(more)} and falls for ${number(fewer)}.`,
      `Together, it goes from ${number(before)} to ${countOf(after, "copy", "copies")}${difference(before, after)}.`,
    );
  }
  if (ofNewBooks > 0) words.push(`New books bring ${countOf(ofNewBooks, "copy", "copies")}.`);
  return words;
}

/** How many copies of the new books customers can order, in a sentence; empty without new books. A supplier's list often gives the supplier's own stock. */
export function newCopiesWords(added: number, { stocks: { ofNewBooks } }: ImportTotals): string {
  if (added === 0) return "";
  return ofNewBooks > 0
    ? `Customers can then order ${countOf(ofNewBooks, "copy", "copies")} of the new ${added === 1 ? "book" : "books"}: make sure that you have ${ofNewBooks === 1 ? "it" : "them"}.`
    : `The new ${added === 1 ? "book has" : "books have"} no copies, so customers can't order ${added === 1 ? "it" : "them"} yet.`;
}

/** '10 times', 'a third' as '0.33 times'; empty from or to 0. */
export function ratioWords({ old_price, price }: ChangeRow): string {
  if (!old_price || !price) return "";
  return `${(price / old_price).toLocaleString("en-GB", { maximumSignificantDigits: 3 })} times`;
}

/** What is odd about a row, in a few words. */
export function exampleWords(kind: OddityKind, row: ChangeRow): string {
  const { title, old_title, publisher } = row;
  switch (ODDITIES[kind].shows) {
    case "title":
      return `${old_title ?? title} → ${title}`;
    case "stock":
      return `${title}: ${number(row.old_stock ?? 0)} → ${number(row.stock ?? 0)}`;
    case "copies":
      return `${title}: ${countOf(row.stock ?? 0, "copy", "copies")}`;
    case "publisher":
      return `${publisher}: ${title}`;
    default:
      return `${title}: ${priceMove(row)}`;
  }
}

/** 'GH₵45.00 → GH₵450.00'; of a new book, its price. */
export function priceMove({ old_price, price }: ChangeRow): string {
  const now = price === undefined ? "none" : formatCedis(price);
  return old_price === undefined ? now : `${formatCedis(old_price)} → ${now}`;
}

const number = (value: number) => value.toLocaleString("en-GB");

const percent = (share: number) => (share < 0.01 ? "under 1 %" : `${Math.round(share * 100)} %`);

/** ' (+10.0 %)'; empty where there was nothing before. */
function difference(before: number, after: number): string {
  if (before === 0) return "";
  const change = ((after - before) / before) * 100;
  const digits = Math.abs(change).toLocaleString("en-GB", {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return ` (${change < 0 ? "−" : "+"}${digits} %)`;
}
