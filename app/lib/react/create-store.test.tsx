import { renderToString } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { createStore, useStore } from "./create-store.ts";

describe("a store", () => {
  it("holds what was set last", () => {
    const store = createStore(1);
    expect(store.get()).toBe(1);
    store.set(2);
    expect(store.get()).toBe(2);
  });

  it("notifies its listeners of each change, until they unsubscribe", () => {
    const store = createStore("closed");
    const [stays, leaves] = [vi.fn(), vi.fn()];
    store.subscribe(stays);
    const unsubscribe = store.subscribe(leaves);
    store.set("open");
    unsubscribe();
    store.set("closed");
    expect(stays).toHaveBeenCalledTimes(2);
    expect(leaves).toHaveBeenCalledTimes(1);
  });

  it("does not notify when set to the value it already has", () => {
    const store = createStore(Number.NaN);
    const listener = vi.fn();
    store.subscribe(listener);
    store.set(Number.NaN);
    expect(listener).not.toHaveBeenCalled();
  });

  it("lets a listener unsubscribe while it is notified", () => {
    const store = createStore(0);
    const [once, always] = [vi.fn(), vi.fn()];
    const unsubscribe = store.subscribe(() => {
      once();
      unsubscribe();
    });
    store.subscribe(always);
    store.set(1);
    store.set(2);
    expect(once).toHaveBeenCalledTimes(1);
    expect(always).toHaveBeenCalledTimes(2);
  });

  it("is rendered on the server with its initial value, whatever it holds", () => {
    const cart = createStore({ lines: 0 });
    cart.set({ lines: 3 });
    const Count = () => <b>{useStore(cart, ({ lines }) => lines)}</b>;
    const Whole = () => <i>{useStore(cart).lines}</i>;
    expect(renderToString(<Count />)).toBe("<b>0</b>");
    expect(renderToString(<Whole />)).toBe("<i>0</i>");
  });
});
