import type { OrderDetails } from "./order.admin-queries.ts";
import type { PhoneLine } from "./phone-order.ts";

/** An order's lines for editing: the copies that the order already holds count as available. */
export function linesOf({
  order_items,
  stock_held,
}: Pick<OrderDetails, "order_items" | "stock_held">): PhoneLine[] {
  return order_items.flatMap(({ sold_book_id, title, publisher, isbn, price, quantity, kind, book }) =>
    sold_book_id === null
      ? []
      : [
          {
            id: sold_book_id,
            title,
            publisher,
            isbn,
            price,
            quantity,
            stock_quantity: Math.max(book?.stock_quantity ?? 0, 0) + (stock_held ? quantity : 0),
            kind,
          },
        ],
  );
}

export function isSameLines(one: readonly PhoneLine[], other: readonly PhoneLine[]): boolean {
  const quantities = new Map(one.map(({ id, quantity }) => [id, quantity]));
  return one.length === other.length && other.every(({ id, quantity }) => quantities.get(id) === quantity);
}
