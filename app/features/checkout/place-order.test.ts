import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { CartLine } from "#app/features/cart/cart.ts";
import { BackendFailure } from "#app/lib/backend/failure.ts";
import { failureFrom } from "#app/lib/backend/response.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { explainRefusal, findLostLines, sendOrder } from "./place-order.ts";

const noPause = async () => {};
const noResponse = () => failureFrom({ message: "Failed to fetch" }, 0);
const refusal = (code: string, message: string, facts: object = {}) =>
  failureFrom({ code: "PT409", message, details: JSON.stringify({ code, ...facts }) }, 409);

describe("sending an order", () => {
  it("accepts the first response", async () => {
    const send = vi.fn<() => Promise<void>>().mockResolvedValue();
    await sendOrder(send, noPause);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("retries twice without a response, and then fails", async () => {
    const send = vi.fn<() => Promise<void>>().mockRejectedValue(noResponse());
    await expect(sendOrder(send, noPause)).rejects.toThrow(BackendFailure);
    expect(send).toHaveBeenCalledTimes(3);
  });

  it("treats an existing order as placed", async () => {
    const send = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(noResponse())
      .mockRejectedValueOnce(failureFrom({ code: "23505" }, 409));
    await sendOrder(send, noPause);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("treats it as placed on the first response too: the page may have been reloaded after sending", async () => {
    const send = vi.fn<() => Promise<void>>().mockRejectedValue(failureFrom({ code: "23505" }, 409));
    await sendOrder(send, noPause);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("retries once after a deadlock", async () => {
    const deadlock = failureFrom({ code: "40P01" }, 500);
    const once = vi.fn<() => Promise<void>>().mockRejectedValueOnce(deadlock).mockResolvedValue();
    await sendOrder(once, noPause);
    const always = vi.fn<() => Promise<void>>().mockRejectedValue(deadlock);
    await expect(sendOrder(always, noPause)).rejects.toBe(deadlock);
    expect(always).toHaveBeenCalledTimes(2);
  });

  it("waits 1.5 seconds before its last attempt, to outlast a short interruption", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const send = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(noResponse())
      .mockRejectedValueOnce(noResponse())
      .mockResolvedValue();
    const sent = sendOrder(send);
    await vi.advanceTimersByTimeAsync(1_499);
    expect(send).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    await sent;
    expect(send).toHaveBeenCalledTimes(3);
  });

  it("does not retry a refused order", async () => {
    const send = vi.fn<() => Promise<void>>().mockRejectedValue(refusal("insufficient_stock", "Not enough."));
    await expect(sendOrder(send, noPause)).rejects.toThrow("insufficient_stock");
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe("the second line under a failed order", () => {
  const line = (id: string, price: number): CartLine => ({
    id: `line-${id}`,
    quantity: 1,
    book: {
      id,
      title: id,
      publisher: null,
      price: pesewasFromCedis(price),
      stock_quantity: 1,
      image_url: null,
      subject: null,
      course: null,
      kind: "book",
      digital_by: null,
    },
  });

  it("names the titles and how many are left", () => {
    const short = refusal("insufficient_stock", "Not enough in stock.", {
      lines: [
        { book_id: "a", title: "Primary Science 3", requested: 5, left: 2 },
        { book_id: "b", title: "Skoldo Book One", requested: 1, left: 0 },
      ],
    });
    expect(explainRefusal(short, [])).toBe("Primary Science 3: only 2 left. Skoldo Book One: sold out.");
  });

  it("names only the titles whose price has changed", () => {
    const changed = refusal("total_changed", "Prices have changed.", {
      total: 130,
      lines: [
        { book_id: "a", title: "Primary Science 3", price: 80.5, quantity: 1 },
        { book_id: "b", title: "Skoldo Book One", price: 49.5, quantity: 1 },
      ],
    });
    expect(explainRefusal(changed, [line("a", 75), line("b", 49.5)])).toBe(
      "Primary Science 3 now costs GH₵80.50.",
    );
  });

  it("names the titles that the shop no longer sells, beside those with a new price", () => {
    const changed = refusal("total_changed", "Prices have changed.", {
      lines: [{ book_id: "a", title: "Primary Science 3", price: 80.5, quantity: 1 }],
    });
    const sent = [line("a", 75), line("Skoldo Book One", 49.5)];
    expect(findLostLines(changed, sent)).toEqual([sent[1]]);
    expect(findLostLines(refusal("cart_empty", "Your cart is empty."), sent)).toEqual(sent);
    expect(findLostLines(refusal("insufficient_stock", "Not enough."), sent)).toEqual([]);
    expect(findLostLines(noResponse(), sent)).toEqual([]);
    expect(explainRefusal(changed, sent, ["Skoldo Book One"])).toBe(
      "Skoldo Book One is no longer sold. Primary Science 3 now costs GH₵80.50.",
    );
  });

  it("shows the shop's own message when the cart has changed but no price has", () => {
    const changed = refusal("total_changed", "Please check your cart.", {
      lines: [{ book_id: "a", title: "Primary Science 3", price: 75, quantity: 3 }],
    });
    expect(explainRefusal(changed, [line("a", 75)])).toBe("Please check your cart.");
  });

  it("shows the refusal's own message when it names no titles, and ignores titles of other refusals", () => {
    expect(explainRefusal(refusal("insufficient_stock", "Not enough in stock."), [])).toBe(
      "Not enough in stock.",
    );
    const lines = [{ book_id: "a", title: "Primary Science 3", price: 80, left: 2 }];
    expect(explainRefusal(refusal("too_many_orders", "Please wait.", { lines }), [line("a", 75)])).toBe(
      "Please wait.",
    );
  });

  it("does not blame the shop for a bug in the page", () => {
    expect(explainRefusal(new TypeError("x is undefined"), [])).toBe("Something went wrong on this page.");
  });

  it("says that retrying is safe without a response", () => {
    expect(explainRefusal(noResponse(), [])).toContain("It's safe to try again");
  });

  it("never shows the database's own message", () => {
    const raw = failureFrom({ code: "23514", message: 'violates check constraint "x"' }, 500);
    expect(explainRefusal(raw, [])).toBe("Nothing was ordered, and your cart is unchanged.");
  });
});
