/** An order's id in lists: its first 8 characters and an ellipsis (spec section 9). */
export function shortOrderId(id: string): string {
  return `${id.slice(0, 8)}…`;
}

/** Both names of an order: the id shown in lists and the number that customers quote. */
export function orderLabel({ id, number }: { id: string; number: number }): string {
  return `${shortOrderId(id)} (No. ${number})`;
}

export function orderDetailsPath({ number }: { number: number }): string {
  return `/admin/orders?order=${number}`;
}

/** The orders that a URL selects, such as '1041-1042'; what isn't a number is left out. */
export function readSelection(text: string | null): Set<number> {
  return new Set(
    (text ?? "")
      .split("-")
      .filter((part) => /^\d{1,15}$/.test(part))
      .map(Number),
  );
}
