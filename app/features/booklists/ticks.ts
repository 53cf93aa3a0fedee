import { createStore, useStore } from "#app/lib/create-store.ts";
import { FORGET_EVENT, STORAGE_PREFIX } from "#app/lib/env.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#app/lib/money.ts";
import { type BooklistLine, MAX_CHILDREN } from "./booklist.ts";

/** A parent's choices on a list. */
export type Ticks = {
  /** The ids of the ticked lines. */
  ticked: readonly string[];
  /** How many children it is for, 1 to 999. */
  children: number;
};

type KeptTicks = Ticks & { at: number };

type Kept = Readonly<Record<string, KeptTicks>>;

const KEY = `${STORAGE_PREFIX}booklists`;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Parents of several children use several lists. */
const MAX_KEPT = 20;

/** The ticks by list code, stored in this browser for a week, so that they survive signing in and a second visit. */
const kept = createStore<Kept>({});

if (typeof window !== "undefined") {
  kept.set(readStored());
  window.addEventListener(FORGET_EVENT, () => kept.set({}));
  // Another tab has changed or added them.
  window.addEventListener("storage", ({ key }) => key === KEY && kept.set(readStored()));
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
  const { ticked, children } = useStore(kept, (all) => all[code]) ?? startingTicks(lines);
  const chosen = lines.filter((line) => ticked.includes(line.id) && isAvailable(line));
  const change = (changes: Partial<Ticks>) => changeTicks(code, { ticked, children, ...changes });
  /** Identifies the call that adds these choices to the cart, whichever tab makes it, until one of them changes. */
  const requestId = () => `${code} ${(kept.get()[code] ?? change({})).at}`;
  return { chosen, children, change, requestId };
}

function changeTicks(code: string, ticks: Ticks): KeptTicks {
  const changed = { ...ticks, at: Date.now() };
  const { [code]: _, ...others } = kept.get();
  const newest = Object.entries(others)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_KEPT - 1);
  kept.set({ ...Object.fromEntries(newest), [code]: changed });
  try {
    window.localStorage.setItem(KEY, JSON.stringify(kept.get()));
  } catch {
    // Without storage the ticks last as long as the page.
  }
  return changed;
}

function readStored(): Kept {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(Object.entries(stored ?? {}).filter(([, ticks]) => isStoredTicks(ticks)));
  } catch {
    // Blocked storage or an invalid entry counts as empty.
    return {};
  }
}

function isStoredTicks(value: unknown): value is KeptTicks {
  const { ticked, children, at } = (value ?? {}) as Record<string, unknown>;
  return (
    Array.isArray(ticked) &&
    ticked.every((id) => typeof id === "string") &&
    Number.isInteger(children) &&
    Number(children) >= 1 &&
    Number(children) <= MAX_CHILDREN &&
    Date.now() - Number(at) < KEPT_MS
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
