import type { Owner } from "#app/features/session/follow-person.ts";
import { createLatest } from "#app/lib/latest.ts";
import { type CartLine, clampQuantity } from "./cart.ts";

export type CartState = {
  status: "loading" | "signed-out" | "ready" | "failed";
  lines: readonly CartLine[];
  /** How often something was added: the badge bumps when it grows. */
  additions: number;
};

/** What the cart needs of the backend, on behalf of one person. */
export type CartGateway = {
  list(userId: string): Promise<CartLine[]>;
  add(bookId: string, quantity: number): Promise<{ id: string; quantity: number }>;
  update(userId: string, lineId: string, quantity: number): Promise<void>;
  remove(userId: string, lineId: string): Promise<void>;
  clear(userId: string): Promise<void>;
};

export const cartMessages = {
  loadFailed: "Failed to load cart",
  added: "Added to cart!",
  addFailed: "Failed to add to cart",
  updateFailed: "Failed to update quantity",
  removed: "Removed from cart",
  removeFailed: "Failed to remove from cart",
  cleared: "Cart cleared",
  clearFailed: "Failed to clear cart",
} as const;

type CartMessage = (typeof cartMessages)[keyof typeof cartMessages];

type Surroundings = {
  gateway: CartGateway;
  onSuccess(message: CartMessage): void;
  onFailure(message: CartMessage, error: unknown): void;
  /** Called after each change that reached the backend, for the other tabs. */
  onChanged(): void;
};

/** Before anything is known: what the server renders. */
export const initialCart: CartState = { status: "loading", lines: [], additions: 0 };

/**
 * The cart of whoever is signed in. What is shown is what the backend confirmed, with the quantities on their way
 * laid over it: a write that fails takes its quantity away again, and the confirmed one shows.
 */
export function createCartStore({ gateway, onSuccess, onFailure, onChanged }: Surroundings) {
  let state = initialCart;
  let owner: string | null = null;
  let confirmed: readonly CartLine[] = [];
  /** Quantities on their way, by line; 0 means that the line goes. */
  const wanted = new Map<string, number>();
  const writing = new Set<string>();
  /** Grows when everything on its way has become meaningless: another person, or the cart was cleared. */
  let epoch = 0;
  const latest = createLatest();
  const listeners = new Set<() => void>();

  function publish(more: Partial<CartState> = {}): void {
    const lines = confirmed
      .map((line) => ({ ...line, quantity: wanted.get(line.id) ?? line.quantity }))
      .filter(({ quantity }) => quantity > 0);
    state = { ...state, lines, ...more };
    for (const listener of listeners) listener();
  }

  function startOver(lines: readonly CartLine[]): number {
    confirmed = lines;
    wanted.clear();
    writing.clear();
    latest.markChanged();
    latest.forget();
    epoch += 1;
    return epoch;
  }

  function setOwner(session: Owner) {
    const next = session.status === "signed-in" ? session.userId : null;
    const status = { unknown: "loading", "signed-out": "signed-out", "signed-in": "loading" } as const;
    if (next !== null && next === owner) return;
    owner = next;
    startOver([]);
    publish({ status: status[session.status] });
    if (owner) void load();
  }

  /** Reads the cart again. A quiet failure shows nothing as long as there is something to show. */
  async function load({ quiet = false } = {}): Promise<void> {
    const userId = owner;
    if (!userId) return;
    if (state.status === "failed") publish({ status: "loading" });
    const read = await latest.ask(() => gateway.list(userId));
    if (!read) return;
    if ("answer" in read) {
      confirmed = read.answer;
      publish({ status: "ready" });
      return;
    }
    if (state.status !== "ready") publish({ status: "failed" });
    else if (quiet) return;
    onFailure(cartMessages.loadFailed, read.failure);
  }

  /** Adds copies of a book; the badge bumps and the toast shows once the backend has them. */
  async function add(bookId: string, quantity = 1): Promise<boolean> {
    const at = epoch;
    try {
      const { id, quantity: total } = await gateway.add(bookId, quantity);
      if (at !== epoch) return true;
      latest.markChanged();
      const onItsWay = wanted.get(id);
      if (onItsWay) wanted.set(id, clampQuantity(onItsWay + quantity));
      if (confirmed.some((line) => line.id === id)) confirmed = withQuantity(id, total);
      else await load({ quiet: true });
      if (at !== epoch) return true;
      publish({ additions: state.additions + 1 });
      onSuccess(cartMessages.added);
      onChanged();
      return true;
    } catch (error) {
      if (at === epoch) onFailure(cartMessages.addFailed, error);
      return false;
    }
  }

  /** Shows the quantity at once and sends it when the line's write under way has ended; the newest one wins. */
  function setQuantity(lineId: string, quantity: number): void {
    if (!confirmed.some(({ id }) => id === lineId)) return;
    wanted.set(lineId, clampQuantity(quantity));
    publish();
    if (!writing.has(lineId)) void write(lineId);
  }

  async function write(lineId: string): Promise<void> {
    const userId = owner;
    const at = epoch;
    if (!userId) return;
    writing.add(lineId);
    let target = wanted.get(lineId);
    let failure: unknown = null;
    try {
      while (target !== undefined && target !== quantityOf(lineId)) {
        if (target === 0) await gateway.remove(userId, lineId);
        else await gateway.update(userId, lineId, target);
        if (at !== epoch) return;
        latest.markChanged();
        confirmed = withQuantity(lineId, target);
        if (target === 0) break;
        target = wanted.get(lineId);
      }
    } catch (error) {
      failure = error ?? new Error("unknown");
    }
    if (at !== epoch) return;
    wanted.delete(lineId);
    writing.delete(lineId);
    publish();
    if (failure) {
      onFailure(target === 0 ? cartMessages.removeFailed : cartMessages.updateFailed, failure);
      await load({ quiet: true });
    } else {
      if (target === 0) onSuccess(cartMessages.removed);
      onChanged();
    }
  }

  /** Waits until no quantity is on its way any more. */
  function settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (writing.size > 0) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      check();
    });
  }

  async function clear(): Promise<void> {
    const userId = owner;
    if (!userId) return;
    const before = confirmed;
    const at = startOver([]);
    publish();
    try {
      await gateway.clear(userId);
      if (at !== epoch) return;
      latest.markChanged();
      onSuccess(cartMessages.cleared);
      onChanged();
    } catch (error) {
      if (at !== epoch) return;
      startOver(before);
      publish();
      onFailure(cartMessages.clearFailed, error);
      await load({ quiet: true });
    }
  }

  /** An order took what was in the cart; what came in since then shows when it has been read again. */
  function showOrdered(): Promise<void> {
    startOver([]);
    publish();
    return load({ quiet: true });
  }

  function quantityOf(lineId: string): number {
    return confirmed.find(({ id }) => id === lineId)?.quantity ?? 0;
  }

  function withQuantity(lineId: string, quantity: number): readonly CartLine[] {
    if (quantity === 0) return confirmed.filter(({ id }) => id !== lineId);
    return confirmed.map((line) => (line.id === lineId ? { ...line, quantity } : line));
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setOwner,
    load,
    add,
    setQuantity,
    remove: (lineId: string) => setQuantity(lineId, 0),
    clear,
    settled,
    showOrdered,
  };
}
