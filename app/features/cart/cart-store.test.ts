import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CartLine } from "./cart.ts";
import { createCartStore } from "./cart-store.ts";

type Call = {
  name: string;
  args: unknown[];
  resolve: (value?: unknown) => void;
  reject: (e: unknown) => void;
};

/** A backend whose answers come when the test says so. */
function slowBackend() {
  const calls: Call[] = [];
  const method =
    (name: string) =>
    (...args: unknown[]) =>
      new Promise<never>((resolve, reject) => {
        calls.push({ name, args, resolve: resolve as Call["resolve"], reject });
      });
  const gateway = {
    list: method("list"),
    add: method("add"),
    update: method("update"),
    remove: method("remove"),
    clear: method("clear"),
  };
  /** Waits for the next call of that name and takes it off the list. */
  async function next(name: string): Promise<Call> {
    await vi.waitFor(() => expect(calls.map((call) => call.name)).toContain(name));
    const index = calls.findIndex((call) => call.name === name);
    return calls.splice(index, 1)[0] as Call;
  }
  return { gateway, calls, next };
}

function lineOf(id: string, quantity: number): CartLine {
  const book = {
    id: `book-${id}`,
    title: id,
    publisher: null,
    price: 10,
    stock_quantity: 5,
    image_url: null,
    subject: null,
    course: null,
  };
  return { id, quantity, book };
}

const ama = { status: "signed-in", userId: "ama" } as const;
const kofi = { status: "signed-in", userId: "kofi" } as const;

describe("the cart store", () => {
  let backend = slowBackend();
  let said: string[] = [];
  let announced = 0;
  let cart = createCartStore({ gateway: backend.gateway, onSuccess() {}, onFailure() {}, onChanged() {} });
  const shown = () => cart.get().lines.map(({ id, quantity }) => `${id}×${quantity}`);

  beforeEach(() => {
    backend = slowBackend();
    said = [];
    announced = 0;
    cart = createCartStore({
      gateway: backend.gateway,
      onSuccess: (message) => said.push(message),
      onFailure: (message) => said.push(message),
      onChanged: () => {
        announced += 1;
      },
    });
  });

  async function signedIn(...lines: CartLine[]) {
    cart.setOwner(ama);
    (await backend.next("list")).resolve(lines);
    await vi.waitFor(() => expect(cart.get().status).toBe("ready"));
  }

  it("loads when somebody signs in, again for somebody else, and empties on sign-out", async () => {
    await signedIn(lineOf("a", 2));
    expect(shown()).toEqual(["a×2"]);
    cart.setOwner(kofi);
    expect(cart.get()).toMatchObject({ status: "loading", lines: [] });
    (await backend.next("list")).resolve([lineOf("b", 1)]);
    await vi.waitFor(() => expect(shown()).toEqual(["b×1"]));
    cart.setOwner({ status: "signed-out" });
    expect(cart.get()).toMatchObject({ status: "signed-out", lines: [] });
  });

  it("never shows a cart that was asked for by the person before", async () => {
    cart.setOwner(ama);
    const first = await backend.next("list");
    cart.setOwner(kofi);
    const second = await backend.next("list");
    second.resolve([lineOf("kofis", 1)]);
    await vi.waitFor(() => expect(shown()).toEqual(["kofis×1"]));
    first.resolve([lineOf("amas", 1)]);
    await Promise.resolve();
    expect(shown()).toEqual(["kofis×1"]);
  });

  it("says that loading failed, and loads again when asked", async () => {
    cart.setOwner(ama);
    (await backend.next("list")).reject(new Error("down"));
    await vi.waitFor(() => expect(cart.get().status).toBe("failed"));
    expect(said).toEqual(["Failed to load cart"]);
    void cart.load();
    expect(cart.get().status).toBe("loading");
    (await backend.next("list")).resolve([]);
    await vi.waitFor(() => expect(cart.get().status).toBe("ready"));
  });

  it("shows a new quantity at once and sends rapid changes one after the other, the newest winning", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 1));
    for (const quantity of [2, 3, 4]) cart.setQuantity("a", quantity);
    expect(shown()).toEqual(["a×4", "b×1"]);
    const first = await backend.next("update");
    expect(first.args).toEqual(["ama", "a", 2]);
    expect(backend.calls).toHaveLength(0);
    first.resolve();
    const second = await backend.next("update");
    expect(second.args).toEqual(["ama", "a", 4]);
    second.resolve();
    await vi.waitFor(() => expect(announced).toBe(1));
    expect(shown()).toEqual(["a×4", "b×1"]);
    expect(said).toEqual([]);
  });

  it("does not let one line wait for another", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 1));
    cart.setQuantity("a", 2);
    cart.setQuantity("b", 3);
    await backend.next("update");
    expect((await backend.next("update")).args).toEqual(["ama", "b", 3]);
  });

  it("goes back to the confirmed quantity when a write fails", async () => {
    await signedIn(lineOf("a", 1));
    cart.setQuantity("a", 2);
    (await backend.next("update")).resolve();
    cart.setQuantity("a", 7);
    (await backend.next("update")).reject(new Error("down"));
    await vi.waitFor(() => expect(said).toEqual(["Failed to update quantity"]));
    expect(shown()).toEqual(["a×2"]);
  });

  it("removes a line whose quantity becomes zero, and brings it back when that fails", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 2));
    cart.setQuantity("a", 0);
    expect(shown()).toEqual(["b×2"]);
    (await backend.next("remove")).reject(new Error("down"));
    await vi.waitFor(() => expect(said).toEqual(["Failed to remove from cart"]));
    expect(shown()).toEqual(["a×1", "b×2"]);
    cart.remove("a");
    (await backend.next("remove")).resolve();
    await vi.waitFor(() => expect(said).toContain("Removed from cart"));
    expect(shown()).toEqual(["b×2"]);
  });

  it("reads again when something changed while it was reading", async () => {
    await signedIn(lineOf("a", 1));
    void cart.load({ quiet: true });
    const stale = await backend.next("list");
    cart.setQuantity("a", 9);
    (await backend.next("update")).resolve();
    await vi.waitFor(() => expect(announced).toBe(1));
    stale.resolve([lineOf("a", 1)]);
    (await backend.next("list")).resolve([lineOf("a", 9)]);
    await vi.waitFor(() => expect(backend.calls).toHaveLength(0));
    expect(shown()).toEqual(["a×9"]);
  });

  it("adds: a known line takes the backend's sum, a new one is read, and the badge is told", async () => {
    await signedIn(lineOf("a", 1));
    void cart.add("book-a");
    const add = await backend.next("add");
    expect(add.args).toEqual(["book-a", 1]);
    add.resolve({ id: "a", quantity: 5 });
    await vi.waitFor(() => expect(shown()).toEqual(["a×5"]));
    void cart.add("book-c", 2);
    (await backend.next("add")).resolve({ id: "c", quantity: 2 });
    (await backend.next("list")).resolve([lineOf("a", 5), lineOf("c", 2)]);
    await vi.waitFor(() => expect(cart.get().additions).toBe(2));
    expect(shown()).toEqual(["a×5", "c×2"]);
    expect(said).toEqual(["Added to cart!", "Added to cart!"]);
  });

  it("says that adding failed and leaves the cart as it was", async () => {
    await signedIn(lineOf("a", 1));
    const adding = cart.add("book-a");
    (await backend.next("add")).reject(new Error("down"));
    expect(await adding).toBe(false);
    expect(said).toEqual(["Failed to add to cart"]);
    expect(shown()).toEqual(["a×1"]);
  });

  it("clears at once, forgets writes under way, and brings everything back when clearing fails", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 2));
    cart.setQuantity("a", 3);
    const update = await backend.next("update");
    void cart.clear();
    expect(shown()).toEqual([]);
    update.reject(new Error("the line is gone"));
    (await backend.next("clear")).reject(new Error("down"));
    await vi.waitFor(() => expect(said).toEqual(["Failed to clear cart"]));
    expect(shown()).toEqual(["a×1", "b×2"]);
    void cart.clear();
    (await backend.next("clear")).resolve();
    await vi.waitFor(() => expect(said).toContain("Cart cleared"));
    expect(shown()).toEqual([]);
  });

  it("is empty after an order, without a word, also when it cannot be read again", async () => {
    await signedIn(lineOf("a", 1));
    void cart.showOrdered();
    expect(shown()).toEqual([]);
    (await backend.next("list")).reject(new Error("down"));
    await new Promise(setImmediate);
    expect(cart.get()).toMatchObject({ status: "ready", lines: [] });
    expect(said).toEqual([]);
  });

  it("tells when no quantity is on its way any more", async () => {
    await signedIn(lineOf("a", 1));
    await cart.settled();
    cart.setQuantity("a", 2);
    let settled = false;
    const waiting = cart.settled().then(() => {
      settled = true;
    });
    const update = await backend.next("update");
    expect(settled).toBe(false);
    update.resolve();
    await waiting;
    expect(shown()).toEqual(["a×2"]);
  });

  it("ignores the answer to a write of somebody who has signed out meanwhile", async () => {
    await signedIn(lineOf("a", 1));
    cart.setQuantity("a", 2);
    const update = await backend.next("update");
    cart.setOwner({ status: "signed-out" });
    update.reject(new Error("no session"));
    await Promise.resolve();
    expect(said).toEqual([]);
    expect(cart.get()).toMatchObject({ status: "signed-out", lines: [] });
  });
});
