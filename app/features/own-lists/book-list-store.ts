import { createPersonalData, type PersonalStatus } from "#app/features/session/personal-data.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { createStore } from "#app/lib/react/create-store.ts";

export type BookListState = {
  status: PersonalStatus;
  /** Newest first. */
  bookIds: readonly string[];
};

export type BookListGateway = {
  list(userId: string): Promise<string[]>;
  create(userId: string, bookId: string): Promise<void>;
  remove(userId: string, bookId: string): Promise<void>;
};

/** PostgreSQL's unique_violation. */
export const DUPLICATE = "23505";

type Notice = readonly [tone: "success" | "error" | "info", title: string, description: string];

export type BookListNotices = Readonly<
  Record<"fetchFailed" | "added" | "already" | "addFailed" | "removed" | "removeFailed", Notice>
>;

type Dependencies = {
  gateway: BookListGateway;
  notices: BookListNotices;
  onNotice(notice: Notice, error?: unknown): void;
  /** Called after each change that reached the backend, for the other tabs. */
  onChanged(): void;
};

/**
 * A list of books of the signed-in user, such as the wishlist. A book is toggled immediately and reverted when its
 * write fails.
 */
export function createBookListStore({ gateway, notices, onNotice, onChanged }: Dependencies) {
  const { set, ...store } = createStore<BookListState>({ status: "loading", bookIds: [] });
  const pending = new Set<string>();

  function publish(next: Partial<BookListState>): void {
    set({ ...store.get(), ...next });
  }

  const { getOwner, latest, setOwner, load } = createPersonalData({
    getStatus: () => store.get().status,
    setStatus: (status) => publish({ status }),
    read: gateway.list,
    show: (bookIds) => publish({ status: "ready", bookIds }),
    reset(status) {
      latest.markChanged();
      latest.cancel();
      pending.clear();
      publish({ status, bookIds: [] });
    },
    onLoadFailed: (error) => onNotice(notices.fetchFailed, error),
  });

  /** Adds the book or removes it. While a book's change is pending, further clicks are ignored. */
  async function toggle(bookId: string): Promise<void> {
    const userId = getOwner();
    if (!userId || pending.has(bookId)) return;
    const wasOnList = store.get().bookIds.includes(bookId);
    pending.add(bookId);
    setOnList(bookId, !wasOnList);
    try {
      if (wasOnList) await gateway.remove(userId, bookId);
      else await gateway.create(userId, bookId);
      if (getOwner() !== userId) return;
      // Added again, because a read during the write did not include it.
      setOnList(bookId, !wasOnList);
      onNotice(wasOnList ? notices.removed : notices.added);
      onChanged();
    } catch (error) {
      if (getOwner() !== userId) return;
      if (isBackendFailure(error) && error.code === DUPLICATE) {
        setOnList(bookId, true);
        onNotice(notices.already);
      } else {
        setOnList(bookId, wasOnList);
        onNotice(wasOnList ? notices.removeFailed : notices.addFailed, error);
      }
    } finally {
      if (getOwner() === userId) pending.delete(bookId);
    }
  }

  /** Adds the book, unless it is already on the list. */
  async function add(bookId: string): Promise<void> {
    if (store.get().bookIds.includes(bookId)) onNotice(notices.already);
    else await toggle(bookId);
  }

  function setOnList(bookId: string, isOnList: boolean): void {
    latest.markChanged();
    const others = store.get().bookIds.filter((id) => id !== bookId);
    publish({ bookIds: isOnList ? [bookId, ...others] : others });
  }

  return {
    ...store,
    setOwner,
    load,
    toggle,
    add,
  };
}
