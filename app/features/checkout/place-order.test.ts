import { describe, expect, it, vi } from "vitest";
import type { CartLine } from "#app/features/cart/cart.ts";
import { BackendFailure } from "#app/lib/backend-failure.ts";
import { explainRefusal, sendOrder } from "./place-order.ts";

const noPause = async () => {};
const silence = () => new BackendFailure({ message: "Failed to fetch" }, 0);
const refusal = (code: string, message: string, facts: object = {}) =>
  new BackendFailure({ code: "PT409", message, details: JSON.stringify({ code, ...facts }) }, 409);

describe("sending an order", () => {
  it("takes the first answer", async () => {
    const send = vi.fn<() => Promise<void>>().mockResolvedValue();
    await sendOrder(send, noPause);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("tries twice more when no answer comes, and then says so", async () => {
    const send = vi.fn<() => Promise<void>>().mockRejectedValue(silence());
    await expect(sendOrder(send, noPause)).rejects.toThrow(BackendFailure);
    expect(send).toHaveBeenCalledTimes(3);
  });

  it("counts an order that is there already as placed", async () => {
    const send = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(silence())
      .mockRejectedValueOnce(new BackendFailure({ code: "23505" }, 409));
    await sendOrder(send, noPause);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("tries once more after a deadlock and not twice", async () => {
    const deadlock = new BackendFailure({ code: "40P01" }, 500);
    const once = vi.fn<() => Promise<void>>().mockRejectedValueOnce(deadlock).mockResolvedValue();
    await sendOrder(once, noPause);
    const always = vi.fn<() => Promise<void>>().mockRejectedValue(deadlock);
    await expect(sendOrder(always, noPause)).rejects.toBe(deadlock);
    expect(always).toHaveBeenCalledTimes(2);
  });

  it("does not repeat what the shop refused", async () => {
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
      price,
      stock_quantity: 1,
      image_url: null,
      subject: null,
      course: null,
    },
  });

  it("names the titles and what is left of them", () => {
    const short = refusal("insufficient_stock", "Not enough in stock.", {
      lines: [
        { book_id: "a", title: "Primary Science 3", requested: 5, left: 2 },
        { book_id: "b", title: "Skoldo Book One", requested: 1, left: 0 },
      ],
    });
    expect(explainRefusal(short, [])).toBe("Primary Science 3: only 2 left. Skoldo Book One: sold out.");
  });

  it("names the titles that cost something else now, and only those", () => {
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

  it("gives the shop's own sentence when no price but the cart has changed", () => {
    const changed = refusal("total_changed", "Please check your cart.", {
      lines: [{ book_id: "a", title: "Primary Science 3", price: 75, quantity: 3 }],
    });
    expect(explainRefusal(changed, [line("a", 75)])).toBe("Please check your cart.");
  });

  it("says that trying again is safe when no answer came", () => {
    expect(explainRefusal(silence(), [])).toContain("Trying again is safe");
  });

  it("never shows the database's own words", () => {
    const raw = new BackendFailure({ code: "23514", message: 'violates check constraint "x"' }, 500);
    expect(explainRefusal(raw, [])).toBe("Nothing was ordered, and your cart is as it was.");
  });
});
