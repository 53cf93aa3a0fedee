import { describe, expect, it } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { formatAmount, lineAmount } from "./purchase.ts";
import { lineOfBook, readLine, readPurchaseForm, typedPurchase } from "./purchase-form.ts";

const book = {
  id: "a",
  title: "Atlas",
  publisher: null,
  isbn: null,
  price: 4_999 as Pesewas,
  stock_quantity: 3,
  copies: 3,
  kind: "book",
};

describe("the form of a purchase order", () => {
  it("starts from the stored lines and returns them unchanged", () => {
    const line = { book_id: "a", title: "Atlas", publisher: null, isbn: null, stock: null };
    const typed = typedPurchase({
      lines: [{ ...line, copies: 1_200, received: 0, list_price: 705, discount: 32.5, amount: 1 }],
      note: null,
    });
    expect(typed).toMatchObject({ note: "", lines: [{ copies: "1200", price: "7.05", discount: "32.5" }] });
    expect(readPurchaseForm(typed)).toEqual({
      values: { lines: [{ book_id: "a", copies: 1_200, list_price: 705, discount: 32.5 }], note: "" },
      wrong: new Map(),
      problem: null,
    });
  });

  it("starts a line at the shop's price only where the supplier counts in cedis", () => {
    expect(lineOfBook(book, { currency: "GHS", discount: 30 })).toMatchObject({
      price: "49.99",
      discount: "30",
    });
    expect(lineOfBook(book, { currency: "GBP", discount: 0 })).toMatchObject({ price: "", copies: "1" });
  });

  it("reads what people type; an empty discount is 0", () => {
    expect(readLine({ copies: " 1,200 ", price: "9.9", discount: "" })).toEqual({
      copies: 1_200,
      listPrice: 990,
      discount: 0,
    });
    for (const copies of ["", "0", "-1", "1.5", "100000", "12,34", "x"])
      expect(readLine({ copies, price: "1", discount: "0" }).copies).toBeNull();
    for (const price of ["", "x", "-1", "1.234"])
      expect(readLine({ copies: "1", price, discount: "0" }).listPrice).toBeNull();
    for (const discount of ["x", "-1", "100.5", "12.345"])
      expect(readLine({ copies: "1", price: "1", discount }).discount).toBeNull();
    expect(readLine({ copies: "1", price: "1", discount: "12.5 %" }).discount).toBe(12.5);
  });

  it("names the fields that can't be saved", () => {
    const line = lineOfBook(book, { currency: "GBP", discount: 0 });
    const read = readPurchaseForm({ lines: [{ ...line, copies: "0" }], note: "" });
    expect(read.wrong).toEqual(new Map([["a", { copies: true, price: true, discount: false }]]));
    expect(read.problem).toContain("Check the marked fields");
    expect(
      readPurchaseForm({ lines: Array(1_001).fill({ ...line, price: "1" }), note: "" }).problem,
    ).toContain("1,000 lines");
  });

  it("is exact where floating point would not be, and shows the currency", () => {
    expect(lineAmount({ copies: 1, listPrice: 1, discount: 50 })).toBe(1);
    expect(lineAmount({ copies: 99_999, listPrice: 100_001, discount: 0.01 })).toBe(9_998_999_999);
    expect(formatAmount(123_456_705, "GBP")).toBe("GBP 1,234,567.05");
    expect(formatAmount(5, "GHS")).toBe("GHS 0.05");
  });
});
