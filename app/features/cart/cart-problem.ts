import { TOO_MANY } from "./cart.ts";

/** The outcome for one book of a bulk call: copies, and a problem unless all were added and are in stock. */
export type CartAddition = { wanted: number; added: number; problem: string | null };

/** Why not all copies of a title were added or can be ordered, as a sentence; null when they can. */
export function additionProblem({ wanted, added, problem }: CartAddition): string | null {
  if (problem === null) return null;
  const some = added > 0 ? ` ${added} of ${wanted} are in your cart now.` : "";
  switch (problem) {
    case "few_left":
      return added < wanted
        ? `We have too few copies.${some}`
        : "We have too few copies. Your cart shows how many are left.";
    case "out_of_stock":
      return "Out of stock.";
    case "too_many":
      return TOO_MANY + some;
    case "cart_full":
      return "Your cart is full. Order what is in it first.";
    default:
      return "We no longer sell this book.";
  }
}
