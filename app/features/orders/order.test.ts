import { describe, expect, it } from "vitest";
import { canCancel, isOrderId, ORDER_STATUSES, orderNumber, readStatus } from "./order.ts";

const id = "0f0e6a52-7c0b-4b5e-9b53-4a2f9d6e81c7";

describe("an order", () => {
  it("is known to its customer by the last 8 characters of its id", () => {
    expect(orderNumber(id)).toBe("9d6e81c7");
  });

  it("can be cancelled while it is neither cancelled nor delivered", () => {
    expect(ORDER_STATUSES.filter(canCancel)).toEqual(["pending", "processing", "shipped"]);
  });

  it("takes only uuids of the address for an id", () => {
    expect(isOrderId(id)).toBe(true);
    for (const text of ["", "1", `${id}0`, "undefined", "../admin"]) expect(isOrderId(text)).toBe(false);
  });

  it("reads a status it does not know as pending", () => {
    expect(readStatus("shipped")).toBe("shipped");
    expect(readStatus("lost")).toBe("pending");
  });
});
