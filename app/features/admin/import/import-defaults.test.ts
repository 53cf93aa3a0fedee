import { describe, expect, it } from "vitest";
import { readDefaults } from "./import-defaults.ts";

describe("the defaults of an import", () => {
  it("may be left empty: no price, no stock, no publisher", () => {
    expect(readDefaults({ price: " ", stock: "", publisher: " " })).toEqual({
      defaults: { priceCedis: null, stock: 0, publisher: null },
      errors: null,
    });
  });

  it("are read as people type them", () => {
    expect(readDefaults({ price: "GH₵1,049.50", stock: " 12 ", publisher: " Collins " }).defaults).toEqual({
      priceCedis: 1049.5,
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
});
