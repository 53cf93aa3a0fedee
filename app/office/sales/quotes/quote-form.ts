import { type QuoteLine, shortageOf } from "#app/features/quotes/quote.ts";
import type { BookToAdd } from "#app/office/frame/lines/book-to-add.admin-queries.ts";
import { CHOSEN_METHODS, type DeliveryMethod, isSent } from "#shared/orders/delivery.ts";
import type { DeliveryPricing } from "#shared/orders/quote-delivery.ts";
import { cedisFromPesewas, type Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { QuoteRecord, QuoteValues } from "./quote.admin-queries.ts";

/** The database's limits. */
const MAX_QUOTED = 9_999;
const MAX_LINES = 1_000;

/** A line as typed, with its book's stock. */
export type TypedLine = Pick<
  QuoteLine,
  "book_id" | "title" | "isbn" | "shop_price" | "stock" | "requested" | "kind"
> & {
  quantity: string;
  price: string;
};

export type TypedQuote = {
  lines: readonly TypedLine[];
  validUntil: string;
  note: string;
  method: DeliveryMethod;
  region: string;
  pricing: DeliveryPricing;
  /** The agreed price of delivery. */
  fee: string;
};

const priceText = (price: Pesewas) => cedisFromPesewas(price).toFixed(2);

type Loaded = Pick<QuoteRecord, "lines" | "delivery_method" | "delivery_pricing" | "delivery_fee"> & {
  valid_until: string | null;
  note: string | null;
  region: string | null;
};

export function typedQuote(quote: Loaded): TypedQuote {
  return {
    lines: quote.lines.map(({ quantity, unit_price, ...line }) => ({
      ...line,
      quantity: String(quantity),
      price: priceText(unit_price ?? line.shop_price),
    })),
    validUntil: quote.valid_until ?? "",
    note: quote.note ?? "",
    method: CHOSEN_METHODS.find((method) => method === quote.delivery_method) ?? "deliver",
    region: quote.region ?? "",
    pricing: quote.delivery_pricing,
    fee:
      quote.delivery_pricing === "agreed" && quote.delivery_fee !== null ? priceText(quote.delivery_fee) : "",
  };
}

/** A new line for a book: one copy at the shop's price. */
export function lineOfBook(book: Omit<BookToAdd, "copies">): TypedLine {
  return {
    book_id: book.id,
    title: book.title,
    isbn: book.isbn,
    shop_price: book.price,
    stock: book.stock_quantity,
    kind: book.kind,
    requested: false,
    quantity: "1",
    price: priceText(book.price),
  };
}

/** The lines at the shop's prices less this percentage, rounded to the pesewa. */
export function discounted(lines: readonly TypedLine[], percent: number): TypedLine[] {
  return lines.map((line) => ({
    ...line,
    price: priceText(Math.round((line.shop_price * (100 - percent)) / 100) as Pesewas),
  }));
}

/** A whole number from 1 to the limit; null for anything else. */
export function readQuotedQuantity(text: string): number | null {
  const bare = text.trim().replace(/(?<=^\d)[, ](?=\d{3}$)/, "");
  const quantity = /^\d{1,4}$/.test(bare) ? Number(bare) : 0;
  return quantity >= 1 && quantity <= MAX_QUOTED ? quantity : null;
}

/** What each line lacks in stock: 'Atlas: Only 4 left'. A quote with one can be sent, and not be accepted before there is stock. */
export const shortages = (lines: readonly TypedLine[]): string[] =>
  lines.flatMap(({ title, stock, quantity }) => {
    const shortage = shortageOf({ stock, quantity: readQuotedQuantity(quantity) ?? 0 });
    return shortage ? [`${title}: ${shortage}`] : [];
  });

export function readQuotedPrice(text: string): Pesewas | null {
  const price = readPrice(text);
  return price === "ambiguous" ? null : price;
}

/**
 * The values to save and the errors, per line and for the whole quote.
 * @returns `values` without the invalid lines
 */
export function readQuoteForm({ lines, validUntil, note, ...delivery }: TypedQuote): {
  values: QuoteValues;
  wrong: Map<string, { quantity: boolean; price: boolean }>;
  problem: string | null;
} {
  const fee = delivery.pricing === "agreed" ? readQuotedPrice(delivery.fee) : null;
  const wrong = new Map<string, { quantity: boolean; price: boolean }>();
  const read = lines.flatMap((line) => {
    const quantity = readQuotedQuantity(line.quantity);
    const price = readQuotedPrice(line.price);
    if (quantity !== null && price !== null) return [{ book_id: line.book_id, quantity, unit_price: price }];
    wrong.set(line.book_id, { quantity: quantity === null, price: price === null });
    return [];
  });
  const problem =
    wrong.size > 0
      ? `Check the marked fields. Quantities can be 1 to ${MAX_QUOTED.toLocaleString("en-GB")}, prices 0 or more.`
      : lines.length === 0
        ? "A quote needs at least one line."
        : lines.length > MAX_LINES
          ? `A quote can have up to ${MAX_LINES.toLocaleString("en-GB")} lines.`
          : delivery.pricing === "agreed" && fee === null
            ? "Enter the delivery fee, 0 or more."
            : null;
  const values = {
    lines: read,
    validUntil: validUntil || null,
    note: note.trim(),
    delivery: {
      method: delivery.method,
      region: isSent(delivery.method) ? delivery.region : "",
      pricing: delivery.pricing,
      fee,
    },
  };
  return { values, wrong, problem };
}
