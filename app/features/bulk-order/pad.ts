import { MAX_MATCHED_LINES, type MatchedLine } from "#app/features/booklists/booklist.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { parseIsbn13 } from "#app/features/books/isbn.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { MAX_QUANTITY, TOO_MANY } from "#app/features/cart/cart.ts";
import { additionProblem, type CartAddition } from "#app/features/cart/cart-problem.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#shared/text/money.ts";
import { isbnHint, type OrderLine, quantityProblem, type Reading } from "./order-lines.ts";

export const MAX_LINES = MAX_MATCHED_LINES;

/** A line of the pad with the customer's choices. */
export type PadLine = OrderLine & {
  /** The book chosen where several match. */
  bookId: string | null;
  /** Why the cart did not take the line, in a sentence. */
  refusal: string | null;
  /** The text as typed, if its first or last number was read as the quantity without anything marking it as one. */
  typed?: string;
};

/** The books that match a text: their number and the first ten. */
export type Match = Pick<MatchedLine, "matches" | "books">;

/** The matches by text. */
export type Matches = ReadonlyMap<string, Match>;

/** One title that can go into the cart. */
export type ReadyTitle = {
  book: CardBook;
  /** The lines of it; their quantities are added up. */
  lines: PadLine[];
  /** Requested copies. */
  quantity: number;
  /**
   * Copies to put into the cart: at most those in stock. The rest stay on the pad, so that the customer can ask for
   * them.
   */
  adding: number;
};

/** A line that cannot go into the cart yet. */
export type OpenLine = {
  line: PadLine;
  problem: string;
  /** The books to choose from; empty unless there are several. */
  choices: CardBook[];
  /** Whether it lacks only a quantity. */
  needsQuantity: boolean;
  /** What to search for when the shop has no such book. */
  searchText?: string;
  /** The book, if it is out of stock. */
  soldOut?: CardBook;
};

export type SortedPad = { ready: ReadyTitle[]; open: OpenLine[] };

/** The text to look up first; the title is tried if the ISBN is unknown. */
export function lookupTexts({ isbn, title }: OrderLine): string[] {
  return [isbn, title].filter((text, index, all) => text !== "" && all.indexOf(text) === index);
}

function findMatch(line: OrderLine, matches: Matches): Match | null {
  const found = lookupTexts(line).map((text) => matches.get(text));
  return found.find((match) => match && match.matches > 0) ?? null;
}

/** The texts to look up for a line, one after the other until one matches. */
export function candidateTexts(line: OrderLine): string[] {
  return [...new Set([...lookupTexts(line), ...line.readings.map(({ title }) => title)])];
}

/** The text counted for a line without a book: its ISBN, or else its title without a marked quantity. */
export function missingText({ isbn, title, readings }: OrderLine): string {
  if (parseIsbn13(isbn) !== null) return isbn;
  return readings.find(({ isMarked }) => isMarked)?.title ?? (title || isbn);
}

/** The lines, read with the shop's titles: 'Maths 4' is 4 copies of Maths unless a book has that title. */
export function withReadings(lines: readonly PadLine[], matches: Matches): PadLine[] {
  return lines.map((line) => {
    if (line.readings.length === 0 || findMatch(line, matches)) return line;
    const isKnown = ({ title }: Reading) => (matches.get(title)?.matches ?? 0) > 0;
    const reading = line.readings.find(isKnown) ?? line.readings.find(({ isMarked }) => isMarked);
    if (!reading) return line;
    const { title, quantity, isMarked } = reading;
    const read = { ...line, isbn: title, title, quantity, written: String(quantity), readings: [] };
    return isMarked ? read : { ...read, typed: line.title };
  });
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
      const soldOut = book && book.stock_quantity <= 0 && line.refusal === null ? book : undefined;
      const needsQuantity = Boolean(book && !soldOut && line.quantity === null);
      const searchText = match || line.refusal !== null ? undefined : lookupTexts(line).at(-1);
      open.push({ line, problem: problem ?? "", choices, needsQuantity, searchText, soldOut });
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
  return book.stock_quantity <= 0 ? `${unavailableWords(book.stock_quantity)}.` : quantityProblem(line);
}

function matchProblem(line: PadLine, match: Match | null): string {
  if (match) return `${match.matches} books match. Which one do you need?`;
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

/** The pad after its titles were added: whatever the cart refused stays, with the missing copies and the reason. */
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
