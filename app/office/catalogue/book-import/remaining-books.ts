import { type BookField, bookFieldLabel } from "#app/features/books/book-fields.ts";

/** Why undoing an import has left a book, or some of its fields, as they are. */
export type RemainingReason =
  | "ordered"
  | "edited"
  | "in_use"
  | "changed"
  | "put_back"
  | "deleted"
  | "too_long";

/** A book that undoing an import has left, or not changed back entirely. */
export interface RemainingBook {
  line: number;
  bookId: string;
  title: string;
  reason: RemainingReason;
  /** What was changed again since and stays. */
  fields: BookField[];
}

/** Why a book stayed, in a sentence. */
export function remainingReason({ reason, fields }: RemainingBook): string {
  switch (reason) {
    case "ordered":
      return "It was new and has been ordered since, so it stays in the shop at the price that it has. Check it.";
    case "edited":
      return "It was new and has been edited since, so it stays.";
    case "in_use":
      return "It was new and has files, codes or sales, so it stays.";
    case "changed":
      return `Changed again since, so it stays as it is: ${fields.map(bookFieldLabel).join(", ")}.`;
    case "put_back":
      return "Somebody has put it back already.";
    case "deleted":
      return "It was deleted since.";
    case "too_long":
      return "It was edited since and its texts would be too long together, so nothing was changed back.";
  }
}
