import { createPersonalData, type PersonalStatus } from "#app/features/session/personal-data.ts";
import { createStore } from "#app/lib/react/create-store.ts";
import { type CartLine, clampQuantity } from "./cart.ts";

export type CartState = {
  status: PersonalStatus;
  lines: readonly CartLine[];
  /** How often something was added: the badge is animated when it grows. */
  additions: number;
};

type CartGateway = {
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

type Dependencies = {
  gateway: CartGateway;
  onSuccess(message: CartMessage): void;
  onFailure(message: CartMessage, error: unknown): void;
  /** Called after each change that reached the backend, for the other tabs. */
  onChanged(): void;
};

/**
 * The cart of the signed-in user. It shows the confirmed lines with the pending quantities on top: when a write fails,
 * the confirmed quantity shows again.
 */
export function createCartStore({ gateway, onSuccess, onFailure, onChanged }: Dependencies) {
  const { set, ...store } = createStore<CartState>({ status: "loading", lines: [], additions: 0 });
  let confirmed: readonly CartLine[] = [];
  /** Unconfirmed quantities by line; 0 removes the line. */
  const pending = new Map<string, number>();
  const writing = new Set<string>();
  /** Grows when all pending writes become obsolete: another user, or a cleared cart. */
  let epoch = 0;
  const { getOwner, latest, setOwner, load } = createPersonalData({
    getStatus: () => store.get().status,
    setStatus: (status) => publish({ status }),
    read: gateway.list,
    show(lines) {
      confirmed = lines;
      publish({ status: "ready" });
    },
    reset(status) {
      reset([]);
      publish({ status });
    },
    onLoadFailed: (error) => onFailure(cartMessages.loadFailed, error),
  });

  function publish(more: Partial<CartState> = {}): void {
    const lines = confirmed
      .map((line) => ({ ...line, quantity: pending.get(line.id) ?? line.quantity }))
      .filter(({ quantity }) => quantity > 0);
    set({ ...store.get(), lines, ...more });
  }

  function reset(lines: readonly CartLine[]): number {
    confirmed = lines;
    pending.clear();
    writing.clear();
    latest.markChanged();
    latest.cancel();
    epoch += 1;
    return epoch;
  }

  /** Adds copies of a book; the badge and the toast follow once the backend has confirmed. */
  async function add(bookId: string, quantity = 1): Promise<boolean> {
    const at = epoch;
    try {
      const { id, quantity: total } = await gateway.add(bookId, quantity);
      if (at !== epoch) return true;
      latest.markChanged();
      const pendingQuantity = pending.get(id);
      if (pendingQuantity) pending.set(id, clampQuantity(pendingQuantity + quantity));
      if (confirmed.some((line) => line.id === id)) confirmed = withQuantity(id, total);
      else await load({ quiet: true });
      if (at !== epoch) return true;
      publish({ additions: store.get().additions + 1 });
      onSuccess(cartMessages.added);
      onChanged();
      return true;
    } catch (error) {
      if (at === epoch) onFailure(cartMessages.addFailed, error);
      return false;
    }
  }

  /** Shows the quantity immediately and sends it after the line's pending write; the latest one wins. */
  function setQuantity(lineId: string, quantity: number): void {
    if (!confirmed.some(({ id }) => id === lineId)) return;
    pending.set(lineId, clampQuantity(quantity));
    publish();
    if (!writing.has(lineId)) void write(lineId);
  }

  async function write(lineId: string): Promise<void> {
    const userId = getOwner();
    const at = epoch;
    if (!userId) return;
    writing.add(lineId);
    let target = pending.get(lineId);
    let failure: unknown = null;
    try {
      while (target !== undefined && target !== quantityOf(lineId)) {
        if (target === 0) await gateway.remove(userId, lineId);
        else await gateway.update(userId, lineId, target);
        if (at !== epoch) return;
        latest.markChanged();
        confirmed = withQuantity(lineId, target);
        if (target === 0) break;
        target = pending.get(lineId);
      }
    } catch (error) {
      failure = error ?? new Error("unknown");
    }
    if (at !== epoch) return;
    pending.delete(lineId);
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

  /** Resolves when no quantity is pending. */
  function settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (writing.size > 0) return;
        unsubscribe();
        resolve();
      };
      const unsubscribe = store.subscribe(check);
      check();
    });
  }

  async function clear(): Promise<void> {
    const userId = getOwner();
    if (!userId) return;
    const before = confirmed;
    const at = reset([]);
    publish();
    try {
      await gateway.clear(userId);
      if (at !== epoch) return;
      latest.markChanged();
      onSuccess(cartMessages.cleared);
      onChanged();
    } catch (error) {
      if (at !== epoch) return;
      reset(before);
      publish();
      onFailure(cartMessages.clearFailed, error);
      await load({ quiet: true });
    }
  }

  /** An order has emptied the cart; anything added since then shows after the next read. */
  function showOrdered(): Promise<void> {
    reset([]);
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
    ...store,
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
