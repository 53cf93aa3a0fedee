import { beforeEach, describe, expect, it, vi } from "vitest";
import { BackendFailure } from "#app/lib/backend-failure.ts";
import { createWishlistStore, DUPLICATE } from "./wishlist-store.ts";

const ama = { status: "signed-in", userId: "ama" } as const;

describe("the wishlist store", () => {
  const gateway = {
    list: vi.fn<(userId: string) => Promise<string[]>>(),
    create: vi.fn<(userId: string, bookId: string) => Promise<void>>(),
    remove: vi.fn<(userId: string, bookId: string) => Promise<void>>(),
  };
  let notices: string[] = [];
  let wishlist = createWishlistStore({ gateway, onNotice() {}, onChanged() {} });

  beforeEach(() => {
    notices = [];
    gateway.list.mockReset().mockResolvedValue(["b1"]);
    gateway.create.mockReset().mockResolvedValue();
    gateway.remove.mockReset().mockResolvedValue();
    wishlist = createWishlistStore({
      gateway,
      onNotice: ([, title, description]) => notices.push(`${title} / ${description}`),
      onChanged() {},
    });
  });

  async function signedIn() {
    wishlist.setOwner(ama);
    await vi.waitFor(() => expect(wishlist.get().status).toBe("ready"));
  }

  it("loads with the session and empties without it", async () => {
    await signedIn();
    expect(wishlist.get().bookIds).toEqual(["b1"]);
    wishlist.setOwner({ status: "signed-out" });
    expect(wishlist.get()).toEqual({ status: "signed-out", bookIds: [] });
  });

  it("says that it could not be read", async () => {
    gateway.list.mockRejectedValue(new Error("down"));
    wishlist.setOwner(ama);
    await vi.waitFor(() => expect(wishlist.get().status).toBe("failed"));
    expect(notices).toEqual(["Error / Failed to fetch wishlist"]);
  });

  it("adds the newest wish first and removes it again", async () => {
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

  it("turns the heart at once and back when the write fails", async () => {
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

  it("keeps a book that another tab had added already, and says so", async () => {
    await signedIn();
    gateway.create.mockRejectedValue(new BackendFailure({ code: DUPLICATE, message: "duplicate" }, 409));
    await wishlist.toggle("b2");
    expect(wishlist.get().bookIds).toContain("b2");
    expect(notices).toEqual(["Already in wishlist / This book is already in your wishlist"]);
  });

  it("keeps a wish that was made while the list was read", async () => {
    let written = () => {};
    gateway.create.mockReturnValue(
      new Promise((resolve) => {
        written = resolve;
      }),
    );
    wishlist.setOwner(ama);
    const adding = wishlist.toggle("b2");
    await vi.waitFor(() => expect(wishlist.get().status).toBe("ready"));
    written();
    await adding;
    expect(wishlist.get().bookIds).toEqual(["b2", "b1"]);
  });

  it("ignores presses while the last one is on its way", async () => {
    await signedIn();
    const first = wishlist.toggle("b2");
    await wishlist.toggle("b2");
    await first;
    expect(gateway.create).toHaveBeenCalledTimes(1);
    expect(gateway.remove).not.toHaveBeenCalled();
  });
});
