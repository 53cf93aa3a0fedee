import type { LineToSend } from "./order.admin-queries.ts";
import { readCopies } from "./return-form.ts";

/** A line of an order, and what staff type about its copies. */
export type TypedSend = {
  id: string;
  title: string;
  ordered: number;
  /** The copies that are left to send. */
  most: number;
  copies: string;
};

/** The lines with copies, once none has an error. */
export const readSend = (lines: readonly TypedSend[]): LineToSend[] =>
  lines.flatMap((line) => {
    const copies = readCopies(line) ?? 0;
    return copies > 0 ? [{ order_item_id: line.id, copies, left: line.most }] : [];
  });

/** How many copies are sent, and how many are then left. */
export function sumSend(lines: readonly TypedSend[]) {
  const sent = readSend(lines).reduce((sum, { copies }) => sum + copies, 0);
  return { sent, left: lines.reduce((sum, { most }) => sum + most, 0) - sent };
}
