import { FORGET_EVENT, STORAGE_PREFIX } from "#app/lib/browser/env.ts";
import { createStoredItem } from "#app/lib/browser/storage.ts";
import { createStore, useStore } from "#app/lib/react/create-store.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#shared/text/money.ts";
import { type BooklistLine, MAX_CHILDREN } from "./booklist.ts";

/** A parent's choices on a list. */
export type Ticks = {
  /** The ids of the ticked lines. */
  ticked: readonly string[];
  /** How many children it is for, 1 to 999. */
  children: number;
};

type StoredTicks = Ticks & { at: number };

type AllTicks = Readonly<Record<string, StoredTicks>>;

const KEY = `${STORAGE_PREFIX}booklists`;
const item = createStoredItem("local", KEY);
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** Parents of several children use several lists. */
const MAX_LISTS = 20;

/** The ticks by list code, stored in this browser for a week, so that they survive signing in and a second visit. */
const storedTicks = createStore<AllTicks>({});

if (typeof window !== "undefined") {
  storedTicks.set(readStored());
  window.addEventListener(FORGET_EVENT, () => storedTicks.set({}));
  // Another tab has changed or added them.
  window.addEventListener("storage", ({ key }) => key === KEY && storedTicks.set(readStored()));
}

/** Whether a line can go into the cart. */
export function isAvailable({ book }: BooklistLine): boolean {
  return book !== null && book.stock_quantity > 0;
}

/** The default: all required lines that are in stock, for one child. */
function startingTicks(lines: readonly BooklistLine[]): Ticks {
  return {
    ticked: lines.filter((line) => line.is_required && isAvailable(line)).map(({ id }) => id),
    children: 1,
  };
}

/** The ticks of a list: those stored in this browser, otherwise the default. On the server, always the default. */
export function useTicks(code: string, lines: readonly BooklistLine[]) {
  const { ticked, children } = useStore(storedTicks, (all) => all[code]) ?? startingTicks(lines);
  const chosen = lines.filter((line) => ticked.includes(line.id) && isAvailable(line));
  const change = (changes: Partial<Ticks>) => changeTicks(code, { ticked, children, ...changes });
  /** Identifies the call that adds these choices to the cart, whichever tab makes it, until one of them changes. */
  const requestId = () => `${code} ${(storedTicks.get()[code] ?? change({})).at}`;
  /** Nothing is ticked once all has been added, also after it has been ordered. */
  const tickRequired = () => change({ ticked: startingTicks(lines).ticked });
  return { chosen, children, change, tickRequired, requestId };
}

function changeTicks(code: string, ticks: Ticks): StoredTicks {
  const changed = { ...ticks, at: Date.now() };
  const { [code]: _, ...others } = storedTicks.get();
  const newest = Object.entries(others)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_LISTS - 1);
  storedTicks.set({ ...Object.fromEntries(newest), [code]: changed });
  item.write(storedTicks.get());
  return changed;
}

function readStored(): AllTicks {
  return Object.fromEntries(Object.entries(item.read() ?? {}).filter(([, ticks]) => isStoredTicks(ticks)));
}

function isStoredTicks(value: unknown): value is StoredTicks {
  const { ticked, children, at } = (value ?? {}) as Record<string, unknown>;
  return (
    Array.isArray(ticked) &&
    ticked.every((id) => typeof id === "string") &&
    Number.isInteger(children) &&
    Number(children) >= 1 &&
    Number(children) <= MAX_CHILDREN &&
    Date.now() - Number(at) < MAX_AGE_MS
  );
}

/**
 * Copies of a line for this many children. The cart accepts more than are in stock; the check comes with the order.
 */
export function copiesFor({ copies }: BooklistLine, children: number): number {
  return copies * children;
}

/** The total of the chosen lines for this many children. */
export function totalFor(chosen: readonly BooklistLine[], children: number): Pesewas {
  return sumPesewas(
    chosen.flatMap((line) => (line.book ? [timesQuantity(line.book.price, copiesFor(line, children))] : [])),
  );
}
