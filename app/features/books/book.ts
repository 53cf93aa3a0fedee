import type { Database } from "#app/lib/database.types.ts";

/** What a card shows, the ISBN included: schools order by it. Descriptions and the like would only weigh on the page. */
export const CARD_COLUMNS =
  "id,title,publisher,isbn,price,stock_quantity,image_url,course,subject,grade_level,edition,average_rating,review_count" as const;

type BookRow = Database["public"]["Tables"]["books"]["Row"];

/** `price` is in cedis, as the database gives it. */
export type CardBook = Pick<
  BookRow,
  | "id"
  | "title"
  | "publisher"
  | "isbn"
  | "price"
  | "stock_quantity"
  | "image_url"
  | "course"
  | "subject"
  | "grade_level"
  | "edition"
  | "average_rating"
  | "review_count"
>;

/** Fewer copies than this is low stock (spec section 9). */
export const LOW_STOCK = 10;

/** An ISBN as it is printed, not one of the shop's own codes, which say nothing to a customer. */
export function printedIsbn({ isbn }: { isbn: string | null }): string | null {
  return isbn && /^[\dX -]{10,17}$/i.test(isbn) ? isbn : null;
}
