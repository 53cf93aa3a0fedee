import type { BookToAdd } from "#app/office/frame/lines/book-to-add.admin-queries.ts";
import { cedisFromPesewas } from "#shared/text/money.ts";
import { readPercent, readPrice } from "#shared/text/typed-price.ts";
import type { PurchaseLine, PurchaseRecord, PurchaseValues } from "./purchase.admin-queries.ts";

/** The database's limits. */
const MAX_COPIES = 99_999;
const MAX_LINES = 1_000;

type Typed = { copies: string; price: string; discount: string };

/** A line as typed, with its book's stock. */
export type TypedLine = Pick<PurchaseLine, "book_id" | "title" | "isbn" | "stock"> & Typed;

export type TypedPurchase = { lines: readonly TypedLine[]; note: string };

export type WrongFields = Readonly<Record<keyof Typed, boolean>>;

export function typedPurchase({ lines, note }: Pick<PurchaseRecord, "lines" | "note">): TypedPurchase {
  return {
    lines: lines.map(({ book_id, title, isbn, stock, copies, list_price, discount }) => ({
      book_id,
      title,
      isbn,
      stock,
      copies: String(copies),
      price: (list_price / 100).toFixed(2),
      discount: String(discount),
    })),
    note: note ?? "",
  };
}

/** A new line: one copy at the supplier's usual discount. The shop's price is a start only where the supplier counts in cedis. */
export function lineOfBook(
  book: BookToAdd,
  { currency, discount }: Pick<PurchaseRecord, "currency" | "discount">,
): TypedLine {
  return {
    book_id: book.id,
    title: book.title,
    isbn: book.isbn,
    stock: book.copies,
    copies: "1",
    price: currency === "GHS" ? cedisFromPesewas(book.price).toFixed(2) : "",
    discount: String(discount),
  };
}

/** A whole number from 1 to the limit; null for anything else. */
export function readCopies(text: string): number | null {
  const bare = text.trim().replace(/(?<=^\d{1,2})[, ](?=\d{3}$)/, "");
  const copies = /^\d{1,5}$/.test(bare) ? Number(bare) : 0;
  return copies >= 1 && copies <= MAX_COPIES ? copies : null;
}

/** What was typed in a line: copies, list price in hundredths, discount in percent; null for what is invalid. */
export function readLine({ copies, price, discount }: Typed) {
  const read = readPrice(price);
  return {
    copies: readCopies(copies),
    listPrice: typeof read === "number" ? read : null,
    discount: discount.trim() === "" ? 0 : readPercent(discount),
  };
}

/**
 * The values to save and the errors, per line and for the whole purchase order.
 * @returns `values` without the invalid lines
 */
export function readPurchaseForm({ lines, note }: TypedPurchase): {
  values: PurchaseValues;
  wrong: Map<string, WrongFields>;
  problem: string | null;
} {
  const wrong = new Map<string, WrongFields>();
  const read = lines.flatMap((line) => {
    const { copies, listPrice, discount } = readLine(line);
    if (copies !== null && listPrice !== null && discount !== null)
      return [{ book_id: line.book_id, copies, list_price: listPrice, discount }];
    wrong.set(line.book_id, {
      copies: copies === null,
      price: listPrice === null,
      discount: discount === null,
    });
    return [];
  });
  const problem =
    wrong.size > 0
      ? `Check the marked fields. Copies can be 1 to ${MAX_COPIES.toLocaleString("en-GB")}, prices 0 or more, discounts 0 to 100.`
      : lines.length > MAX_LINES
        ? `A purchase order can have up to ${MAX_LINES.toLocaleString("en-GB")} lines.`
        : null;
  return { values: { lines: read, note: note.trim() }, wrong, problem };
}
