import { FORGET_EVENT, STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { createStore } from "#app/lib/react/create-store.ts";
import type { CartState } from "./cart-store.ts";

/** A booklist that books were added from. */
export type LineList = { path: string; name: string };

type StoredList = LineList & { lineIds: readonly string[] };

const KEY = `${STORAGE_PREFIX}cart-lists`;
const item = createStoredItem("local", KEY);
/** As many lists as a browser stores the ticks of. */
const MAX_LISTS = 20;

/**
 * The lists that cart lines came from, latest first. They are stored in this browser alone: the cart has no column for
 * them, so another device shows the same lines without their lists. They belong to lines, not books: a line that was
 * removed and added again has another id.
 */
export const lineLists = createStore<readonly StoredList[]>([]);

if (typeof window !== "undefined") {
  lineLists.set(readStored());
  window.addEventListener(FORGET_EVENT, () => lineLists.set([]));
  // Another tab has added books from a list.
  window.addEventListener("storage", ({ key }) => key === KEY && lineLists.set(readStored()));
}

/**
 * Stores that these books were added from a list, and drops the lists of lines that the cart no longer has. A cart that could
 * not be read since, and so has none of the books, says nothing of either.
 */
export function storeLineList(
  list: LineList,
  bookIds: readonly string[],
  { status, lines }: Pick<CartState, "status" | "lines">,
): void {
  const added = lines.filter(({ book }) => bookIds.includes(book.id)).map(({ id }) => id);
  if (status !== "ready" || added.length === 0) return;
  const inCart = new Set(lines.map(({ id }) => id));
  const earlier = lineLists.get().find(({ path }) => path === list.path);
  const others = lineLists.get().filter((other) => other !== earlier);
  const lists = [{ ...list, lineIds: [...new Set([...(earlier?.lineIds ?? []), ...added])] }, ...others]
    .map((one) => ({ ...one, lineIds: one.lineIds.filter((id) => inCart.has(id)) }))
    .filter(({ lineIds }) => lineIds.length > 0)
    .slice(0, MAX_LISTS);
  lineLists.set(lists);
  item.write(lists);
}

/** The lists that a line came from: a book may be on those of two children. */
export function listsOf(lists: readonly StoredList[], lineId: string): LineList[] {
  return lists.filter(({ lineIds }) => lineIds.includes(lineId));
}

function readStored(): StoredList[] {
  const stored = item.read();
  return Array.isArray(stored) ? stored.filter(isStoredList).slice(0, MAX_LISTS) : [];
}

function isStoredList(value: unknown): value is StoredList {
  const { path, name, lineIds } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof path === "string" &&
    /^\/lists\/[\w-]+$/.test(path) &&
    typeof name === "string" &&
    Array.isArray(lineIds) &&
    lineIds.every((id) => typeof id === "string")
  );
}
