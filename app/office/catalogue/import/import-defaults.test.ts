import { describe, expect, it } from "vitest";
import { readDefaults } from "./import-defaults.ts";

describe("the defaults of an import", () => {
  it("may be left empty: no price, no stock, no publisher", () => {
    expect(readDefaults({ price: " ", stock: "", publisher: " " })).toEqual({
      defaults: { price: null, stock: 0, publisher: null },
      errors: null,
    });
  });

  it("are read as people type them", () => {
    expect(readDefaults({ price: "GH₵1,049.50", stock: " 12 ", publisher: " Collins " }).defaults).toEqual({
      price: 104_950,
      stock: 12,
      publisher: "Collins",
    });
  });

  it("are refused field by field", () => {
    const { defaults, errors } = readDefaults({ price: "-1", stock: "1.5", publisher: "x".repeat(201) });
    expect(defaults).toBeNull();
    expect(Object.keys(errors ?? {})).toEqual(["price", "stock", "publisher"]);
    expect(readDefaults({ price: "", stock: "10000001", publisher: "" }).errors).toHaveProperty("stock");
  });

  it("are refused with a hint at what to write instead", () => {
    const typed = { price: "1.234", stock: "ten", publisher: "ɛ".repeat(201) };
    expect(readDefaults(typed)).toEqual({
      defaults: null,
      errors: {
        price: "Price must be an amount such as 49.50",
        stock: "Stock must be a whole number, 0 or more",
        publisher: "Publisher can have up to 200 characters",
      },
    });
    for (const price of ["cheap", "-1"])
      expect(Object.keys(readDefaults({ price, stock: "", publisher: "" }).errors ?? {})).toEqual(["price"]);
    for (const stock of ["1e3", "-1", "1 2", "x1", "1x"])
      expect(Object.keys(readDefaults({ price: "", stock, publisher: "" }).errors ?? {})).toEqual(["stock"]);
  });

  it("may be as large as the column allows", () => {
    expect(readDefaults({ price: "0", stock: "10000000", publisher: "😀".repeat(200) })).toEqual({
      defaults: { price: 0, stock: 10_000_000, publisher: "😀".repeat(200) },
      errors: null,
    });
  });
});
