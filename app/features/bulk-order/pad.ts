import { MAX_MATCHED_LINES, type MatchedLine } from "#app/features/booklists/booklist.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { MAX_QUANTITY, TOO_MANY } from "#app/features/cart/cart.ts";
import { additionProblem, type CartAddition } from "#app/features/cart/cart-problem.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#app/lib/money.ts";
import { isbnHint, type OrderLine, quantityProblem } from "./order-lines.ts";

export const MOST_LINES = MAX_MATCHED_LINES;

/** A line of the pad with what the customer decided. */
export type PadLine = OrderLine & {
  /** The book chosen where several fit. */
  bookId: string | null;
  /** Why the cart did not take the line, in a sentence. */
  refusal: string | null;
};

/** The books that a text may mean: how many, and the first ten of them. */
export type Match = Pick<MatchedLine, "matches" | "books">;

/** What each text means, by the text. */
export type Matches = ReadonlyMap<string, Match>;

/** One title that can go into the cart. */
export type ReadyTitle = {
  book: CardBook;
  /** The lines that ask for it; several are added up. */
  lines: PadLine[];
  /** Copies asked for. */
  quantity: number;
  /** Copies that the pad puts into the cart: not more than are in stock, the others stay on it to be asked for. */
  adding: number;
};

/** A line that cannot go into the cart as it is. */
export type OpenLine = {
  line: PadLine;
  problem: string;
  /** The books to choose from; empty unless there are several. */
  choices: CardBook[];
  /** Whether a quantity would make it whole. */
  needsQuantity: boolean;
};

export type SortedPad = { ready: ReadyTitle[]; open: OpenLine[] };

/** What is looked up for a line first; a title is tried where its ISBN is unknown. */
export function lookupTexts({ isbn, title }: OrderLine): string[] {
  return [isbn, title].filter((text, place, all) => text !== "" && all.indexOf(text) === place);
}

export function findMatch(line: OrderLine, matches: Matches): Match | null {
  const found = lookupTexts(line).map((text) => matches.get(text));
  return found.find((match) => match && match.matches > 0) ?? null;
}

/** Sorts the lines of a pad into titles for the cart and lines that need attention. */
export function sortPad(lines: readonly PadLine[], matches: Matches): SortedPad {
  const open: OpenLine[] = [];
  const titles = new Map<string, ReadyTitle>();
  for (const line of lines) {
    const match = findMatch(line, matches);
    const book =
      match && (match.matches === 1 ? match.books[0] : match.books.find(({ id }) => id === line.bookId));
    const problem = line.refusal ?? (book ? bookProblem(book, line) : matchProblem(line, match));
    if (problem !== null || !book || line.quantity === null) {
      const choices = !book && match ? match.books : [];
      const needsQuantity = book !== undefined && book !== null && line.quantity === null;
      open.push({ line, problem: problem ?? "", choices, needsQuantity });
      continue;
    }
    const title = titles.get(book.id) ?? { book, lines: [], quantity: 0, adding: 0 };
    title.lines.push(line);
    title.quantity += line.quantity;
    title.adding = Math.min(title.quantity, book.stock_quantity);
    titles.set(book.id, title);
  }
  const ready: ReadyTitle[] = [];
  for (const title of titles.values())
    if (title.quantity <= MAX_QUANTITY) ready.push(title);
    else
      for (const line of title.lines)
        open.push({ line, problem: TOO_MANY, choices: [], needsQuantity: false });
  open.sort((a, b) => a.line.line - b.line.line);
  return { ready, open };
}

function bookProblem(book: CardBook, line: PadLine): string | null {
  return book.stock_quantity <= 0 ? "Out of stock." : quantityProblem(line);
}

function matchProblem(line: PadLine, match: Match | null): string {
  if (match) return `${match.matches} books fit. Which one do you need?`;
  return isbnHint(line.isbn) ?? "We don't have a book with this ISBN or title.";
}

/** The sums of what can be added: titles, copies, amount. */
export function sumReady(ready: readonly ReadyTitle[]): { titles: number; copies: number; total: Pesewas } {
  return {
    titles: ready.length,
    copies: ready.reduce((sum, { adding }) => sum + adding, 0),
    total: sumPesewas(ready.map(({ book, adding }) => timesQuantity(book.price, adding))),
  };
}

/** The pad after its titles were added: what the cart did not take stays, with the copies that are missing and the reason. */
export function withoutAdded(
  lines: readonly PadLine[],
  ready: readonly ReadyTitle[],
  additions: ReadonlyMap<string, CartAddition>,
): PadLine[] {
  const rest = new Map<PadLine, PadLine | null>();
  for (const { book, lines: own, quantity } of ready) {
    const addition = additions.get(book.id);
    const added = addition?.added ?? 0;
    for (const line of own) rest.set(line, null);
    const [first] = own;
    if (!first || added >= quantity) continue;
    const problem = addition ? (addition.problem ?? "few_left") : "not_sold";
    const refusal = additionProblem({ wanted: quantity, added, problem });
    rest.set(first, { ...first, quantity: quantity - added, refusal });
  }
  return lines.flatMap((line) => {
    const left = rest.get(line);
    return left === undefined ? [line] : left === null ? [] : [left];
  });
}
