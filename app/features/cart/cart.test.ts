import { describe, expect, it } from "vitest";
import { formatCediSign, pesewasFromCedis } from "#shared/text/money.ts";
import { type CartLine, cartTotal, clampQuantity, copiesShort, countItems, parseQuantity } from "./cart.ts";

function line(quantity: number, price = 45.1, stock = 100): CartLine {
  const book = {
    id: "b",
    title: "Primary Science",
    publisher: "Collins",
    price: pesewasFromCedis(price),
    stock_quantity: stock,
    image_url: null,
    subject: null,
    course: null,
    kind: "book",
    digital_by: null,
  };
  return { id: `line-${quantity}-${price}`, quantity, book };
}

describe("a cart", () => {
  it("counts copies, not titles", () => {
    expect(countItems([])).toBe(0);
    expect(countItems([line(2), line(200)])).toBe(202);
  });

  it("adds up in pesewas, so that three times 45.10 is exactly 135.30", () => {
    expect(formatCediSign(cartTotal([line(3, 45.1)]))).toBe("₵135.30");
    expect(formatCediSign(cartTotal([line(999, 800), line(1, 0.01)]))).toBe("₵799,200.01");
    expect(formatCediSign(cartTotal([]))).toBe("₵0.00");
  });

  it("says how many are left only when a line has more", () => {
    expect(copiesShort(line(5, 45, 5))).toBeNull();
    expect(copiesShort(line(6, 45, 5))).toBe(5);
    expect(copiesShort(line(1, 45, 0))).toBe(0);
  });

  it("holds 0 to 999 copies of a title", () => {
    expect(clampQuantity(1000)).toBe(999);
    expect(clampQuantity(-1)).toBe(0);
    expect(clampQuantity(12)).toBe(12);
  });

  it("parses typed quantities and rejects anything but whole numbers", () => {
    expect(parseQuantity(" 200 ")).toBe(200);
    expect(parseQuantity("0")).toBe(0);
    expect(parseQuantity("-3")).toBe(0);
    expect(parseQuantity("123456")).toBe(123456);
    expect(parseQuantity("1,000")).toBe(1000);
    expect(parseQuantity("1 000")).toBe(1000);
    for (const text of ["", "  ", "1.5", "1e3", "ten", "1 0", "1,00", "1,0000"])
      expect(parseQuantity(text)).toBeNull();
  });
});
