import { describe, expect, it } from "vitest";
import { countCopy, describeDifference, expectedLines, readRate, readReceiptLines } from "./receipt-form.ts";

const atlas = { id: "a", title: "Atlas", isbn: "978-0-306-40615-7" };

describe("the form of a receipt", () => {
  it("counts one copy per scan, in the book's line or a new one", () => {
    const once = countCopy([], atlas);
    expect(once).toMatchObject([{ book_id: "a", expected: null, copies: "1", damaged: "0" }]);
    expect(countCopy(once, atlas)).toMatchObject([{ copies: "2" }]);
    expect(countCopy([{ ...once[0], copies: "x" } as (typeof once)[number]], atlas)).toMatchObject([
      { copies: "1" },
    ]);
  });

  it("starts from the copies still to come, never below 0", () => {
    const line = {
      title: "Atlas",
      isbn: null,
      publisher: null,
      list_price: 1,
      discount: 0,
      amount: 1,
      stock: 0,
    };
    const lines = [
      { ...line, book_id: "a", copies: 10, received: 4 },
      { ...line, book_id: "b", copies: 10, received: 12 },
    ];
    expect(expectedLines({ lines })).toMatchObject([
      { expected: 6, copies: "0" },
      { expected: 0, copies: "0" },
    ]);
  });

  it("leaves out what has not arrived, and names the lines that can't be read", () => {
    const line = { title: "Atlas", isbn: null, expected: null, copies: "2", damaged: "", cost: "7.35" };
    const { read, wrong } = readReceiptLines([
      { ...line, book_id: "a" },
      { ...line, book_id: "b", copies: "0" },
      { ...line, book_id: "c", copies: "", damaged: "1", cost: "" },
      { ...line, book_id: "d", copies: "1.5" },
      { ...line, book_id: "e", damaged: "-1" },
      { ...line, book_id: "f", cost: "cheap" },
    ]);
    expect(read).toEqual([
      { book_id: "a", copies: 2, damaged: 0, cost: 7.35 },
      { book_id: "c", copies: 0, damaged: 1, cost: null },
    ]);
    expect([...wrong]).toEqual(["d", "e", "f"]);
  });

  it("reads rates as people type them", () => {
    expect(["14.25", " 0,089123 ", "1"].map(readRate)).toEqual([14.25, 0.089123, 1]);
    expect(["", "0", "-1", "x", "1.2345678", "100001"].map(readRate)).toEqual(Array(6).fill(null));
  });

  it("says how a delivery differs from its purchase order", () => {
    const say = (expected: number | null, copies: number, damaged: number, isOrdered = true) =>
      describeDifference({ expected, copies, damaged }, isOrdered);
    expect(say(5, 5, 0)).toBe("");
    expect(say(5, 3, 1)).toBe("1 too few, 1 damaged");
    expect(say(5, 7, 0)).toBe("2 too many");
    expect(say(null, 1, 0)).toBe("Not ordered");
    expect(say(null, 1, 0, false)).toBe("");
  });
});
