import { describe, expect, it } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import {
  discounted,
  lineOfBook,
  readQuotedPrice,
  readQuotedQuantity,
  readQuoteForm,
  shortages,
  typedQuote,
} from "./quote-form.ts";

const book = {
  id: "a",
  title: "Atlas",
  publisher: null,
  isbn: null,
  price: 4_999 as Pesewas,
  stock_quantity: 3,
  kind: "book",
};

describe("the form of a quote", () => {
  it("starts from the quote, and from the shop's price where it has none", () => {
    const line = { ...lineOfBook(book), quantity: 30, unit_price: null, publisher: null, image_url: null };
    const quote = {
      lines: [{ ...line, subject: null, course: null, kind: "book" }],
      valid_until: null,
      note: null,
      delivery_method: "bus_station",
      region: "Volta",
      delivery_pricing: "agreed" as const,
      delivery_fee: 2_500 as Pesewas,
    };
    const typed = typedQuote(quote);
    expect(typed).toMatchObject({ validUntil: "", note: "", lines: [{ quantity: "30", price: "49.99" }] });
    expect(readQuoteForm(typed)).toEqual({
      values: {
        lines: [{ book_id: "a", quantity: 30, unit_price: 4_999 }],
        validUntil: null,
        note: "",
        delivery: { method: "bus_station", region: "Volta", pricing: "agreed", fee: 2_500 },
      },
      wrong: new Map(),
      problem: null,
    });
  });

  it("adds a book that was not requested as one copy at the shop's price", () => {
    expect(lineOfBook(book)).toEqual({
      book_id: "a",
      title: "Atlas",
      isbn: null,
      shop_price: 4_999,
      stock: 3,
      kind: "book",
      requested: false,
      quantity: "1",
      price: "49.99",
    });
  });

  it("names the lines that ask for more than is in stock", () => {
    const line = lineOfBook(book);
    const lines = [line, { ...line, title: "Globe", quantity: "4" }, { ...line, title: "Map", stock: 0 }];
    expect(shortages(lines)).toEqual(["Globe: Only 3 left", "Map: Out of stock"]);
  });

  it("takes a percentage off the shop's prices, rounded to the pesewa", () => {
    expect(discounted([{ ...lineOfBook(book), price: "1.00" }], 10)[0]?.price).toBe("44.99");
    expect(discounted([lineOfBook(book)], 0)[0]?.price).toBe("49.99");
  });

  it("reads quantities and prices as people type them", () => {
    expect(["1", " 60 ", "1,200", "9999"].map(readQuotedQuantity)).toEqual([1, 60, 1_200, 9_999]);
    expect(["", "0", "-1", "1.5", "10000", "12,34", "x", "11,000"].map(readQuotedQuantity)).toEqual(
      Array(8).fill(null),
    );
    expect(["0", "GH₵ 1,234.50", "x", "1.234"].map(readQuotedPrice)).toEqual([0, 123_450, null, null]);
  });

  it("names the fields that cannot be saved", () => {
    const line = lineOfBook(book);
    const rest = { validUntil: "2026-12-01", note: " Note ", method: "collect", region: "Volta" } as const;
    const of = (lines: (typeof line)[], pricing: "fees" | "agreed" = "fees") =>
      readQuoteForm({ lines, ...rest, pricing, fee: "x" });
    expect(of([]).problem).toMatch(/at least one line/);
    expect(of(Array(1_001).fill(line)).problem).toMatch(/up to 1,000/);
    expect(of(Array(1_000).fill(line)).problem).toBeNull();
    const { wrong, problem, values } = of([{ ...line, quantity: "0" }]);
    expect([[...wrong], problem, values.lines]).toEqual([
      [["a", { quantity: true, price: false }]],
      "Check the marked fields. Quantities can be 1 to 9,999, prices 0 or more.",
      [],
    ]);
    const free = of([{ ...line, price: "x" }]);
    expect([[...free.wrong], free.values.lines]).toEqual([[["a", { quantity: false, price: true }]], []]);
    expect(of([line]).values).toMatchObject({
      validUntil: "2026-12-01",
      note: "Note",
      delivery: { method: "collect", region: "", pricing: "fees", fee: null },
    });
    expect(of([line], "agreed").problem).toBe("Enter the delivery fee, 0 or more.");
  });
});
