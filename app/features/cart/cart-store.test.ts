import { beforeEach, describe, expect, it } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { eventually } from "#tests/support/eventually.ts";
import type { CartLine } from "./cart.ts";
import { createCartStore } from "./cart-store.ts";

type Call = {
  name: string;
  args: unknown[];
  resolve: (value?: unknown) => void;
  reject: (e: unknown) => void;
};

/** A backend that responds when the test says so. */
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
    await eventually(() => expect(calls.map((call) => call.name)).toContain(name));
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
    price: pesewasFromCedis(10),
    stock_quantity: 5,
    image_url: null,
    subject: null,
    course: null,
    kind: "book",
    digital_by: null,
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
    await eventually(() => expect(cart.get().status).toBe("ready"));
  }

  it("loads on sign-in, reloads for another user, and empties on sign-out", async () => {
    await signedIn(lineOf("a", 2));
    expect(shown()).toEqual(["a×2"]);
    cart.setOwner(kofi);
    expect(cart.get()).toMatchObject({ status: "loading", lines: [] });
    (await backend.next("list")).resolve([lineOf("b", 1)]);
    await eventually(() => expect(shown()).toEqual(["b×1"]));
    cart.setOwner({ status: "signed-out" });
    expect(cart.get()).toMatchObject({ status: "signed-out", lines: [] });
  });

  it("never shows a cart that was requested for the previous user", async () => {
    cart.setOwner(ama);
    const first = await backend.next("list");
    cart.setOwner(kofi);
    const second = await backend.next("list");
    second.resolve([lineOf("kofis", 1)]);
    await eventually(() => expect(shown()).toEqual(["kofis×1"]));
    first.resolve([lineOf("amas", 1)]);
    await Promise.resolve();
    expect(shown()).toEqual(["kofis×1"]);
  });

  it("reports that loading failed, and retries on request", async () => {
    cart.setOwner(ama);
    (await backend.next("list")).reject(new Error("down"));
    await eventually(() => expect(cart.get().status).toBe("failed"));
    expect(said).toEqual(["Failed to load cart"]);
    void cart.load();
    expect(cart.get().status).toBe("loading");
    (await backend.next("list")).resolve([]);
    await eventually(() => expect(cart.get().status).toBe("ready"));
  });

  it("shows a new quantity immediately and sends rapid changes one after the other, the latest winning", async () => {
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
    await eventually(() => expect(announced).toBe(1));
    expect(shown()).toEqual(["a×4", "b×1"]);
    expect(said).toEqual([]);
  });

  it("does not make one line wait for another", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 1));
    cart.setQuantity("a", 2);
    cart.setQuantity("b", 3);
    await backend.next("update");
    expect((await backend.next("update")).args).toEqual(["ama", "b", 3]);
  });

  it("reverts to the confirmed quantity when a write fails", async () => {
    await signedIn(lineOf("a", 1));
    cart.setQuantity("a", 2);
    (await backend.next("update")).resolve();
    cart.setQuantity("a", 7);
    (await backend.next("update")).reject(new Error("down"));
    await eventually(() => expect(said).toEqual(["Failed to update quantity"]));
    expect(shown()).toEqual(["a×2"]);
  });

  it.each(["update", "remove", "clear"] as const)(
    "is read again when its %s fails: the change may have been saved anyway",
    async (call) => {
      await signedIn(lineOf("a", 1));
      if (call === "clear") void cart.clear();
      else cart.setQuantity("a", call === "update" ? 2 : 0);
      (await backend.next(call)).reject(new Error("no response"));
      (await backend.next("list")).resolve([lineOf("a", 5)]);
      await eventually(() => expect(shown()).toEqual(["a×5"]));
    },
  );

  it("removes a line whose quantity becomes zero, and restores it when that fails", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 2));
    cart.setQuantity("a", 0);
    expect(shown()).toEqual(["b×2"]);
    (await backend.next("remove")).reject(new Error("down"));
    await eventually(() => expect(said).toEqual(["Failed to remove from cart"]));
    expect(shown()).toEqual(["a×1", "b×2"]);
    cart.remove("a");
    (await backend.next("remove")).resolve();
    await eventually(() => expect(said).toContain("Removed from cart"));
    expect(shown()).toEqual(["b×2"]);
  });

  it("reads again when the cart changed during the read", async () => {
    await signedIn(lineOf("a", 1));
    void cart.load({ quiet: true });
    const stale = await backend.next("list");
    cart.setQuantity("a", 9);
    (await backend.next("update")).resolve();
    await eventually(() => expect(announced).toBe(1));
    stale.resolve([lineOf("a", 1)]);
    (await backend.next("list")).resolve([lineOf("a", 9)]);
    await eventually(() => expect(backend.calls).toHaveLength(0));
    expect(shown()).toEqual(["a×9"]);
  });

  it("adding gives an existing line the backend's quantity, reads a new one, and bumps the badge", async () => {
    await signedIn(lineOf("a", 1));
    void cart.add("book-a");
    const add = await backend.next("add");
    expect(add.args).toEqual(["book-a", 1]);
    add.resolve({ id: "a", quantity: 5 });
    await eventually(() => expect(shown()).toEqual(["a×5"]));
    void cart.add("book-c", 2);
    (await backend.next("add")).resolve({ id: "c", quantity: 2 });
    (await backend.next("list")).resolve([lineOf("a", 5), lineOf("c", 2)]);
    await eventually(() => expect(cart.get().additions).toBe(2));
    expect(shown()).toEqual(["a×5", "c×2"]);
    expect(said).toEqual(["Added to cart!", "Added to cart!"]);
  });

  it("reports that adding failed and leaves the cart unchanged", async () => {
    await signedIn(lineOf("a", 1));
    const adding = cart.add("book-a");
    (await backend.next("add")).reject(new Error("down"));
    expect(await adding).toBe(false);
    expect(said).toEqual(["Failed to add to cart"]);
    expect(shown()).toEqual(["a×1"]);
  });

  it("clears immediately, discards pending writes, and restores everything when clearing fails", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 2));
    cart.setQuantity("a", 3);
    const update = await backend.next("update");
    void cart.clear();
    expect(shown()).toEqual([]);
    update.reject(new Error("the line is gone"));
    (await backend.next("clear")).reject(new Error("down"));
    await eventually(() => expect(said).toEqual(["Failed to clear cart"]));
    expect(shown()).toEqual(["a×1", "b×2"]);
    void cart.clear();
    (await backend.next("clear")).resolve();
    await eventually(() => expect(said).toContain("Cart cleared"));
    expect(shown()).toEqual([]);
  });

  it("is empty after an order, without a message, even when it cannot be read again", async () => {
    await signedIn(lineOf("a", 1));
    void cart.showOrdered();
    expect(shown()).toEqual([]);
    (await backend.next("list")).reject(new Error("down"));
    await new Promise(setImmediate);
    expect(cart.get()).toMatchObject({ status: "ready", lines: [] });
    expect(said).toEqual([]);
  });

  it("settles when no quantity is pending", async () => {
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

  it("ignores the response to a write when its user has since signed out", async () => {
    await signedIn(lineOf("a", 1));
    cart.setQuantity("a", 2);
    const update = await backend.next("update");
    cart.setOwner({ status: "signed-out" });
    update.reject(new Error("no session"));
    await Promise.resolve();
    expect(said).toEqual([]);
    expect(cart.get()).toMatchObject({ status: "signed-out", lines: [] });
  });

  const calledNames = () => backend.calls.map(({ name }) => name);

  it("is read once for the same user, and is loading while the session is unknown", async () => {
    cart.setOwner({ status: "unknown" });
    expect(cart.get()).toMatchObject({ status: "loading", lines: [] });
    await signedIn(lineOf("a", 1));
    cart.setOwner(ama);
    expect([calledNames(), shown()]).toEqual([[], ["a×1"]]);
    cart.setOwner({ status: "signed-out" });
    expect(cart.get().status).toBe("signed-out");
  });

  it("sends no request while no one is signed in, nor for a line that it does not have", async () => {
    cart.setOwner({ status: "signed-out" });
    cart.setQuantity("a", 2);
    await Promise.all([cart.load(), cart.clear()]);
    expect(calledNames()).toEqual([]);
    await signedIn(lineOf("a", 1));
    cart.setQuantity("b", 2);
    expect([calledNames(), shown()]).toEqual([[], ["a×1"]]);
  });

  it("stays shown when it cannot be read again, and reports that only if the user reloaded it", async () => {
    await signedIn(lineOf("a", 1));
    for (const [options, messages] of [
      [{ quiet: true }, 0],
      [{}, 1],
    ] as const) {
      const loading = cart.load(options);
      expect(cart.get().status).toBe("ready");
      (await backend.next("list")).reject(new Error("down"));
      await loading;
      expect([cart.get().status, shown(), said.length]).toEqual(["ready", ["a×1"], messages]);
    }
  });

  it("is loading while a failed read is retried, and a second failure is reported, even by a quiet load", async () => {
    cart.setOwner(ama);
    (await backend.next("list")).reject(new Error("down"));
    await eventually(() => expect(cart.get().status).toBe("failed"));
    const loading = cart.load({ quiet: true });
    expect(cart.get().status).toBe("loading");
    (await backend.next("list")).reject(new Error("down"));
    await loading;
    expect([cart.get().status, said.length]).toEqual(["failed", 2]);
  });

  it("adds one copy by default, notifies other tabs, and reads a new line silently if that fails", async () => {
    await signedIn(lineOf("a", 1));
    const adding = cart.add("book-a");
    const added = await backend.next("add");
    expect(added.args).toEqual(["book-a", 1]);
    added.resolve({ id: "a", quantity: 2 });
    expect([await adding, shown(), announced, cart.get().additions]).toEqual([true, ["a×2"], 1, 1]);
    const another = cart.add("book-b", 3);
    (await backend.next("add")).resolve({ id: "b", quantity: 3 });
    (await backend.next("list")).reject(new Error("down"));
    expect([await another, said.length, announced, cart.get().additions]).toEqual([true, 2, 2, 2]);
  });

  it("adds copies to a quantity that is still being saved", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 1));
    cart.setQuantity("a", 3);
    const update = await backend.next("update");
    const adding = cart.add("book-a", 2);
    (await backend.next("add")).resolve({ id: "a", quantity: 3 });
    await adding;
    expect(shown()).toEqual(["a×5", "b×1"]);
    update.resolve();
    const second = await backend.next("update");
    expect(second.args).toEqual(["ama", "a", 5]);
    second.resolve();
    await cart.settled();
    expect(shown()).toEqual(["a×5", "b×1"]);
  });

  it("shows no message about additions and clearings, successful or not, of a user who has signed out", async () => {
    for (const name of ["add", "clear"] as const)
      for (const end of ["resolve", "reject"] as const) {
        await signedIn(lineOf("a", 1));
        const work = name === "add" ? cart.add("book-a") : cart.clear();
        const call = await backend.next(name);
        cart.setOwner({ status: "signed-out" });
        if (end === "resolve") call.resolve({ id: "a", quantity: 2 });
        else call.reject(new Error("down"));
        expect(await work).toBe(name === "add" ? end === "resolve" : undefined);
        expect([said, announced, shown(), cart.get().additions]).toEqual([[], 0, [], 0]);
      }
  });

  it("shows no message about an added book whose line arrives after its user has signed out", async () => {
    await signedIn(lineOf("a", 1));
    const adding = cart.add("book-b");
    (await backend.next("add")).resolve({ id: "b", quantity: 1 });
    const read = await backend.next("list");
    cart.setOwner({ status: "signed-out" });
    read.resolve([lineOf("a", 1), lineOf("b", 1)]);
    expect([await adding, said, announced, shown()]).toEqual([true, [], 0, []]);
  });

  it("repeats a read that was pending when a line was added or the cart was cleared", async () => {
    await signedIn(lineOf("a", 1));
    const loading = cart.load();
    const stale = await backend.next("list");
    const adding = cart.add("book-a");
    (await backend.next("add")).resolve({ id: "a", quantity: 2 });
    await adding;
    stale.resolve([lineOf("a", 1)]);
    (await backend.next("list")).resolve([lineOf("a", 2)]);
    await loading;
    expect(shown()).toEqual(["a×2"]);
    const clearing = cart.clear();
    const cleared = await backend.next("clear");
    const reading = cart.load();
    const early = await backend.next("list");
    cleared.resolve();
    await clearing;
    early.resolve([lineOf("a", 2)]);
    (await backend.next("list")).resolve([]);
    await reading;
    expect([shown(), announced]).toEqual([[], 2]);
  });

  it("removes a line, notifies the other tabs, and silently reads again when that fails", async () => {
    await signedIn(lineOf("a", 1), lineOf("b", 1));
    cart.remove("a");
    const removing = await backend.next("remove");
    expect(removing.args).toEqual(["ama", "a"]);
    removing.resolve();
    await cart.settled();
    expect([shown(), announced, said.length, calledNames()]).toEqual([["b×1"], 1, 1, []]);
    cart.remove("b");
    (await backend.next("remove")).reject(new Error("down"));
    (await backend.next("list")).reject(new Error("down"));
    await eventually(() => expect(shown()).toEqual(["b×1"]));
    expect([announced, said.length]).toEqual([1, 2]);
  });

  it("can save a line while an earlier user's write to it is still pending", async () => {
    await signedIn(lineOf("a", 1));
    cart.setQuantity("a", 2);
    const left = await backend.next("update");
    cart.setOwner(kofi);
    (await backend.next("list")).resolve([lineOf("a", 1)]);
    await eventually(() => expect(cart.get().status).toBe("ready"));
    expect(shown()).toEqual(["a×1"]);
    cart.setQuantity("a", 4);
    const own = await backend.next("update");
    expect(own.args).toEqual(["kofi", "a", 4]);
    left.resolve();
    own.resolve();
    await cart.settled();
    expect([shown(), said, announced]).toEqual([["a×4"], [], 1]);
  });
});
