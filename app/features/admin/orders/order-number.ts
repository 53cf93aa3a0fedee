/** What staff know an order by: the first 8 characters of its id and an ellipsis (spec section 9). */
export function shortOrderId(id: string): string {
  return `${id.slice(0, 8)}…`;
}
