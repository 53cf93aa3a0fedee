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
