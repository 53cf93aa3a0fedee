/*
 * What books and orders must be after each step, worked out without a database: the rules of docs/database.md and nothing of how
 * the shop keeps them.
 */

type Book = { stock: number; gone: boolean; deletions: number };
type Line = { book: number; quantity: number };
type Return = { lines: Line[]; ofCancelled: boolean };
type Order = {
  lines: Line[];
  returns: Return[];
  status: string;
  held: boolean;
  gone: boolean;
  wasDeleted: boolean;
};

/** A shop's books by number, its orders by id. */
export type Model = { books: Book[]; orders: Map<string, Order> };

/** One request, with everything that it names decided beforehand. */
export type Action =
  | { do: "place"; id: string; customer: number; lines: Line[] }
  | { do: "set status"; id: string; status: string }
  | { do: "return" | "delete order" | "restore order"; id: string }
  | { do: "change order"; id: string; lines: Line[] }
  | { do: "delete book"; book: number }
  | { do: "restore book"; book: number; deletion: number }
  | { do: "count stock" | "import stock"; book: number; stock: number };

/** "done", "nothing" when no row was touched, or the code of the refusal. */
export type Outcome = string;

const returnsCopies = (order: Order) => order.held && ["pending", "processing"].includes(order.status);

/** Moves an order's copies; false, and nothing moved, when too few are left. */
function move(model: Model, lines: Line[], direction: 1 | -1): boolean {
  const stockOf = ({ book }: Line) => model.books[book] as Book;
  if (lines.some((line) => stockOf(line).stock + direction * line.quantity < 0)) return false;
  for (const line of lines) stockOf(line).stock += direction * line.quantity;
  return true;
}

const copiesOf = (lines: Line[], book: number) =>
  lines.reduce((sum, line) => sum + (line.book === book ? line.quantity : 0), 0);

/** The copies that haven't been returned. */
function left({ lines, returns }: Order): Line[] {
  const returned = returns.flatMap((one) => one.lines);
  return lines
    .map(({ book, quantity }) => ({ book, quantity: quantity - copiesOf(returned, book) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Returns that were made while it was cancelled don't count any longer, nor do all if nothing else is left to send. */
function reopen(model: Model, order: Order): boolean {
  const standing = order.returns.filter(({ ofCancelled }) => !ofCancelled);
  const isAll = standing.length === order.returns.length && left(order).length === 0;
  const reopened = { ...order, returns: isAll ? [] : standing };
  if (!order.held && !move(model, left(reopened), -1)) return false;
  order.returns = reopened.returns;
  order.held = true;
  return true;
}

function setStatus(model: Model, order: Order, status: string): Outcome {
  if (status === "cancelled" && returnsCopies(order)) {
    move(model, left(order), 1);
    order.held = false;
  } else if (order.status === "cancelled" && status !== "cancelled" && !reopen(model, order)) {
    return "insufficient_stock";
  }
  order.status = status;
  return "done";
}

function place(model: Model, action: Action & { do: "place" }): Outcome {
  const sold = action.lines.filter(({ book }) => !model.books[book]?.gone);
  if (sold.length === 0) return "cart_empty";
  if (sold.length < action.lines.length) return "total_changed";
  if (!move(model, sold, -1)) return "insufficient_stock";
  const order = { lines: sold, returns: [], status: "pending", held: true, gone: false, wasDeleted: false };
  model.orders.set(action.id, order);
  return "done";
}

function changeOrder(model: Model, order: Order, asked: Line[]): Outcome {
  if (order.gone) return "order_not_found";
  if (!["pending", "processing"].includes(order.status)) return "order_not_open";
  const differences = model.books
    .map((_, book) => ({ book, quantity: copiesOf(asked, book) - copiesOf(order.lines, book) }))
    .filter(({ quantity }) => quantity !== 0);
  if (differences.length === 0) return "done";
  const isKnown = ({ book }: Line) => copiesOf(order.lines, book) > 0 || !model.books[book]?.gone;
  if (!asked.every(isKnown)) return "book_not_found";
  const returned = order.returns.flatMap((one) => one.lines);
  if (returned.some(({ book }) => copiesOf(asked, book) < copiesOf(returned, book))) return "copies_returned";
  const holds = order.held || returned.length > 0;
  if (holds && !move(model, differences, -1)) return "insufficient_stock";
  order.held = holds;
  order.lines = asked;
  return "done";
}

function onOrder(model: Model, action: Action & { id: string }, order: Order): Outcome {
  if (action.do === "restore order") {
    if (!order.gone) return order.wasDeleted ? "already_restored" : "not_in_archive";
    if (returnsCopies(order) && !move(model, order.lines, -1)) return "insufficient_stock";
    order.gone = false;
    return "done";
  }
  if (action.do === "change order") return changeOrder(model, order, action.lines);
  if (order.gone) return action.do === "return" ? "order_not_found" : "nothing";
  if (action.do === "set status") return setStatus(model, order, action.status);
  if (action.do === "return") {
    const lines = left(order);
    if (!order.held || lines.length === 0) return "nothing_to_return";
    move(model, lines, 1);
    order.returns.push({ lines, ofCancelled: order.status === "cancelled" });
    order.held = false;
    return "done";
  }
  if (order.returns.length > 0) return "order_has_returns";
  if (returnsCopies(order)) move(model, order.lines, 1);
  order.gone = true;
  order.wasDeleted = true;
  return "done";
}

function onBook(action: Action & { book: number }, book: Book): Outcome {
  if (action.do === "restore book") {
    if (action.deletion !== book.deletions) return "not_last_deletion";
    if (!book.gone) return "already_restored";
    book.gone = false;
    return "done";
  }
  if (book.gone) return "nothing";
  if (action.do === "delete book") {
    book.gone = true;
    book.deletions += 1;
  } else if ("stock" in action) book.stock = action.stock;
  return "done";
}

/** Takes the step in the model and says how the shop must answer. */
export function apply(model: Model, action: Action): Outcome {
  if (action.do === "place") return place(model, action);
  if ("book" in action) return onBook(action, model.books[action.book] as Book);
  return onOrder(model, action, model.orders.get(action.id) as Order);
}

/** What can be seen of the model in the shop. */
export function describeModel({ books, orders }: Model): string {
  return JSON.stringify({
    books: books.map(({ stock, gone }) => ({ stock, gone })),
    orders: [...orders]
      .filter(([, { gone }]) => !gone)
      .map(([id, { status, held, lines }]) => ({
        id,
        status,
        held,
        lines: lines
          .map(({ book, quantity }) => ({ book, quantity, linked: !books[book]?.gone }))
          .sort((a, b) => a.book - b.book),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  });
}
