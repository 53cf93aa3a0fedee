import { followSession } from "#app/features/session/follow-session.ts";
import { waitForSession } from "#app/features/session/session.ts";
import { forgetReturn, type Intent, rememberIntent } from "#app/features/session/sign-in-return.ts";
import {
  type BookListGateway,
  type BookListNotices,
  type BookListState,
  createBookListStore,
} from "./book-list-store.ts";

type OwnBookList = {
  list: Exclude<Intent["list"], "cart">;
  /** Loads the database queries, for members only. */
  loadGateway: () => Promise<BookListGateway>;
  notices: BookListNotices;
  onNotice: Parameters<typeof createBookListStore>[0]["onNotice"];
};

/** A list of books that follows the session and is shared with other tabs, such as the wishlist. */
export function createOwnBookList({ list, loadGateway, notices, onNotice }: OwnBookList) {
  const store = createBookListStore({
    gateway: {
      list: async (userId) => (await loadGateway()).list(userId),
      create: async (userId, bookId) => (await loadGateway()).create(userId, bookId),
      remove: async (userId, bookId) => (await loadGateway()).remove(userId, bookId),
    },
    notices,
    onNotice,
    onChanged: () => shared.announce(),
  });
  const shared = followSession<BookListState>(store, `adwene-${list}`);

  return {
    ...shared,
    reload: () => void store.load(),
    /** Toggles a book for the signed-in user; a visitor is asked to sign in, and it is toggled once they have. */
    async toggle(bookId: string, askToSignIn: () => void): Promise<void> {
      const session = await waitForSession();
      if (session.status === "signed-in") {
        forgetReturn();
        await store.toggle(bookId);
        return;
      }
      rememberIntent({ list, bookId });
      askToSignIn();
    },
    /** Adds a book after a sign-in, unless it is already on the list. */
    async add(bookId: string): Promise<void> {
      shared.start();
      await store.add(bookId);
    },
  };
}
