import { describe, expect, it } from "vitest";
import { canCancel, ORDER_STATUSES, orderName, orderReference, readStatus } from "./order.ts";

const id = "0f0e6a52-7c0b-4b5e-9b53-4a2f9d6e81c7";

describe("an order", () => {
  it("is named by its number, with the last 8 characters of its id as a reference", () => {
    expect(orderName({ number: 1042 })).toBe("Order 1042");
    expect(orderReference(id)).toBe("9d6e81c7");
  });

  it("can be cancelled while it is neither cancelled nor delivered", () => {
    expect(ORDER_STATUSES.filter(canCancel)).toEqual(["pending", "processing", "shipped"]);
  });

  it("reads an unknown status as pending", () => {
    expect(readStatus("shipped")).toBe("shipped");
    expect(readStatus("lost")).toBe("pending");
  });
});
