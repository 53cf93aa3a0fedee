import { beforeEach, describe, expect, it, vi } from "vitest";
import { failureFrom } from "#app/lib/backend/response.ts";
import { eventually } from "#tests/support/eventually.ts";
import { createBookListStore, DUPLICATE } from "./book-list-store.ts";

const notice = (title: string, description: string) => ["info", title, description] as const;
const texts = {
  fetchFailed: notice("Error", "Failed to fetch wishlist"),
  added: notice("Added to wishlist", "Book has been added to your wishlist"),
  already: notice("Already in wishlist", "This book is already in your wishlist"),
  addFailed: notice("Error", "Failed to add to wishlist"),
  removed: notice("Removed from wishlist", "Book has been removed from your wishlist"),
  removeFailed: notice("Error", "Failed to remove from wishlist"),
};

const ama = { status: "signed-in", userId: "ama" } as const;

describe("a list of books, such as the wishlist,", () => {
  const gateway = {
    list: vi.fn<(userId: string) => Promise<string[]>>(),
    create: vi.fn<(userId: string, bookId: string) => Promise<void>>(),
    remove: vi.fn<(userId: string, bookId: string) => Promise<void>>(),
  };
  let notices: string[] = [];
  let wishlist = createBookListStore({ gateway, notices: texts, onNotice() {}, onChanged() {} });

  beforeEach(() => {
    notices = [];
    gateway.list.mockReset().mockResolvedValue(["b1"]);
    gateway.create.mockReset().mockResolvedValue();
    gateway.remove.mockReset().mockResolvedValue();
    wishlist = createBookListStore({
      gateway,
      notices: texts,
      onNotice: ([, title, description]) => notices.push(`${title} / ${description}`),
      onChanged() {},
    });
  });

  async function signedIn() {
    wishlist.setOwner(ama);
    await eventually(() => expect(wishlist.get().status).toBe("ready"));
  }

  it("loads on sign-in and empties on sign-out", async () => {
    await signedIn();
    expect(wishlist.get().bookIds).toEqual(["b1"]);
    wishlist.setOwner({ status: "signed-out" });
    expect(wishlist.get()).toEqual({ status: "signed-out", bookIds: [] });
  });

  it("reports that it could not be read", async () => {
    gateway.list.mockRejectedValue(new Error("down"));
    wishlist.setOwner(ama);
    await eventually(() => expect(wishlist.get().status).toBe("failed"));
    expect(notices).toEqual(["Error / Failed to fetch wishlist"]);
  });

  it("adds the newest book first and removes it again", async () => {
    await signedIn();
    await wishlist.toggle("b2");
    expect(wishlist.get().bookIds).toEqual(["b2", "b1"]);
    expect(gateway.create).toHaveBeenCalledWith("ama", "b2");
    await wishlist.toggle("b2");
    expect(wishlist.get().bookIds).toEqual(["b1"]);
    expect(notices).toEqual([
      "Added to wishlist / Book has been added to your wishlist",
      "Removed from wishlist / Book has been removed from your wishlist",
    ]);
  });

  it("toggles the heart immediately and reverts it when the write fails", async () => {
    await signedIn();
    gateway.create.mockRejectedValue(new Error("down"));
    const adding = wishlist.toggle("b2");
    expect(wishlist.get().bookIds).toContain("b2");
    await adding;
    expect(wishlist.get().bookIds).toEqual(["b1"]);
    gateway.remove.mockRejectedValue(new Error("down"));
    await wishlist.toggle("b1");
    expect(wishlist.get().bookIds).toEqual(["b1"]);
    expect(notices).toEqual(["Error / Failed to add to wishlist", "Error / Failed to remove from wishlist"]);
  });

  it("keeps a book that another tab has already added, and says so", async () => {
    await signedIn();
    gateway.create.mockRejectedValue(failureFrom({ code: DUPLICATE, message: "duplicate" }, 409));
    await wishlist.toggle("b2");
    expect(wishlist.get().bookIds).toContain("b2");
    expect(notices).toEqual(["Already in wishlist / This book is already in your wishlist"]);
  });

  it("keeps a book that was added while the list was being read", async () => {
    let written = () => {};
    gateway.create.mockReturnValue(
      new Promise((resolve) => {
        written = resolve;
      }),
    );
    wishlist.setOwner(ama);
    const adding = wishlist.toggle("b2");
    await eventually(() => expect(wishlist.get().status).toBe("ready"));
    written();
    await adding;
    expect(wishlist.get().bookIds).toEqual(["b2", "b1"]);
  });

  it("ignores clicks while the last one is pending", async () => {
    await signedIn();
    const first = wishlist.toggle("b2");
    await wishlist.toggle("b2");
    await first;
    expect(gateway.create).toHaveBeenCalledTimes(1);
    expect(gateway.remove).not.toHaveBeenCalled();
  });

  const kofi = { status: "signed-in", userId: "kofi" } as const;
  /** A request whose response the test triggers. */
  function held<T>() {
    let answer: (value: T) => void = () => {};
    let fail: (error: Error) => void = () => {};
    const promise = new Promise<T>((resolve, reject) => {
      answer = resolve;
      fail = reject;
    });
    return { promise, answer, fail };
  }

  it("notifies subscribers of each change until they unsubscribe, and other tabs of each write", async () => {
    const onChanged = vi.fn();
    const store = createBookListStore({ gateway, notices: texts, onNotice() {}, onChanged });
    const seen: string[][] = [];
    const leave = store.subscribe(() => seen.push([store.get().status, ...store.get().bookIds]));
    store.setOwner(ama);
    await eventually(() => expect(store.get().status).toBe("ready"));
    expect(seen).toEqual([["loading"], ["ready", "b1"]]);
    expect(onChanged).not.toHaveBeenCalled();
    await store.toggle("b2");
    expect(onChanged).toHaveBeenCalledTimes(1);
    gateway.remove.mockRejectedValue(new Error("down"));
    await store.toggle("b2");
    expect(onChanged).toHaveBeenCalledTimes(1);
    leave();
    const { length } = seen;
    await store.load();
    expect(seen).toHaveLength(length);
  });

  it("is unknown until the session is known, and empty without a request while no one is signed in", async () => {
    expect(wishlist.get()).toEqual({ status: "loading", bookIds: [] });
    wishlist.setOwner({ status: "signed-out" });
    expect(wishlist.get().status).toBe("signed-out");
    wishlist.setOwner({ status: "unknown" } as never);
    expect(wishlist.get().status).toBe("loading");
    await wishlist.load();
    await wishlist.toggle("b1");
    expect([gateway.list.mock.calls, gateway.create.mock.calls]).toEqual([[], []]);
  });

  it("is read once for the same user, and again for another, without the first one's books", async () => {
    await signedIn();
    wishlist.setOwner(ama);
    expect([wishlist.get().status, gateway.list.mock.calls.length]).toEqual(["ready", 1]);
    gateway.list.mockResolvedValue(["k1"]);
    wishlist.setOwner(kofi);
    expect(wishlist.get()).toEqual({ status: "loading", bookIds: [] });
    await eventually(() => expect(wishlist.get()).toEqual({ status: "ready", bookIds: ["k1"] }));
    expect(gateway.list.mock.calls).toEqual([["ama"], ["kofi"]]);
  });

  it("does not show a list that arrives after its user has signed out", async () => {
    const list = held<string[]>();
    gateway.list.mockReturnValue(list.promise);
    wishlist.setOwner(ama);
    wishlist.setOwner({ status: "signed-out" });
    list.answer(["b1"]);
    await list.promise;
    await Promise.resolve();
    expect(wishlist.get()).toEqual({ status: "signed-out", bookIds: [] });
  });

  it.each(["answer", "fail"] as const)(
    "ignores the result (%s) of a press whose user has signed out, and the next user can press the same book",
    async (end) => {
      await signedIn();
      const write = held<void>();
      gateway.create.mockReturnValueOnce(write.promise);
      const adding = wishlist.toggle("b2");
      wishlist.setOwner(kofi);
      await eventually(() => expect(wishlist.get().status).toBe("ready"));
      const next = wishlist.toggle("b2");
      if (end === "fail") write.fail(new Error("down"));
      else write.answer();
      await Promise.all([adding, next]);
      expect(notices).toEqual(["Added to wishlist / Book has been added to your wishlist"]);
      expect(wishlist.get().bookIds).toEqual(["b2", "b1"]);
      expect(gateway.create.mock.calls).toEqual([
        ["ama", "b2"],
        ["kofi", "b2"],
      ]);
    },
  );

  it("keeps the next user's click pending when an earlier user's ends", async () => {
    await signedIn();
    const [first, second] = [held<void>(), held<void>()];
    gateway.create.mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise);
    const presses = [wishlist.toggle("b2")];
    wishlist.setOwner(kofi);
    presses.push(wishlist.toggle("b2"));
    first.answer();
    await presses[0];
    await wishlist.toggle("b2");
    expect(gateway.create).toHaveBeenCalledTimes(2);
    expect(gateway.remove).not.toHaveBeenCalled();
    second.answer();
    await presses[1];
  });

  it("is loading while a failed read is retried, and reports each failure", async () => {
    gateway.list.mockRejectedValue(new Error("down"));
    wishlist.setOwner(ama);
    await eventually(() => expect(wishlist.get().status).toBe("failed"));
    const list = held<string[]>();
    gateway.list.mockReturnValueOnce(list.promise);
    const loading = wishlist.load({ quiet: true });
    expect(wishlist.get().status).toBe("loading");
    list.fail(new Error("down"));
    await loading;
    expect([wishlist.get().status, notices.length]).toEqual(["failed", 2]);
  });

  it("stays unchanged when it cannot be read again, and reports that only if the user reloaded it", async () => {
    await signedIn();
    gateway.list.mockRejectedValue(new Error("down"));
    await wishlist.load({ quiet: true });
    expect([wishlist.get(), notices]).toEqual([{ status: "ready", bookIds: ["b1"] }, []]);
    await wishlist.load();
    expect([wishlist.get().bookIds, notices]).toEqual([["b1"], ["Error / Failed to fetch wishlist"]]);
  });

  it("stays shown while it is read again", async () => {
    await signedIn();
    const list = held<string[]>();
    gateway.list.mockReturnValueOnce(list.promise);
    const loading = wishlist.load();
    expect(wishlist.get().status).toBe("ready");
    list.answer(["b3"]);
    await loading;
    expect(wishlist.get().bookIds).toEqual(["b3"]);
  });

  it("reports any other failure, even one that resembles a book already on the list", async () => {
    await signedIn();
    gateway.create.mockRejectedValue(failureFrom({ code: "23503", message: "no such book" }, 409));
    await wishlist.toggle("b2");
    gateway.create.mockRejectedValue(Object.assign(new Error("bug"), { code: DUPLICATE }));
    await wishlist.toggle("b3");
    expect(wishlist.get().bookIds).toEqual(["b1"]);
    expect(notices).toEqual(Array(2).fill("Error / Failed to add to wishlist"));
  });

  it("adds a book once, and says that it is already on the list", async () => {
    await signedIn();
    await wishlist.add("b2");
    await wishlist.add("b2");
    expect(wishlist.get().bookIds).toEqual(["b2", "b1"]);
    expect(gateway.remove).not.toHaveBeenCalled();
    expect(notices.at(-1)).toBe("Already in wishlist / This book is already in your wishlist");
  });
});
