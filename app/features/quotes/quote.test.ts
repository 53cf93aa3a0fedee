import { describe, expect, it } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { quotedFee, quoteName, quoteTotals, readQuoteLines, readQuoteStatus, shortageOf } from "./quote.ts";

const line = (quantity: number, shop: number, unit: number | null) =>
  readQuoteLines([{ quantity, shop_price: shop, unit_price: unit }])[0] as ReturnType<
    typeof readQuoteLines
  >[0];

describe("a quote", () => {
  it("costs its lines at its own prices, and its discount is the difference to the shop's", () => {
    expect(quoteTotals([line(60, 50, 44.99), line(3, 20, 20)])).toEqual({
      atShopPrices: 306_000,
      books: 275_940,
      total: 275_940,
      discount: 30_060,
    });
    expect(quoteTotals([line(1, 50, 45)], 2_000 as Pesewas)).toMatchObject({ total: 6_500, discount: 500 });
  });

  it("without its own prices costs the shop's prices, and costs more only when staff set a higher price", () => {
    expect(quoteTotals([line(2, 50, null)])).toMatchObject({
      atShopPrices: 10_000,
      total: 10_000,
      discount: 0,
    });
    expect(quoteTotals([line(2, 50, 60)]).discount).toBe(-2_000);
  });

  it("keeps the fee that it was sent with for its way and region, and leaves others to the shop's fees", () => {
    const sent = { delivery_method: "deliver", region: "Volta", delivery_fee: 4_500 as Pesewas };
    const quote = { ...sent, delivery_pricing: "fees" };
    expect(quotedFee(quote, "deliver", "Volta")).toBe(4_500);
    expect(quotedFee(quote, "deliver", "Oti")).toBeNull();
    expect(quotedFee(quote, "bus_station", "Volta")).toBeNull();
    expect(quotedFee({ ...quote, region: null }, "deliver", "Oti")).toBe(4_500);
    expect(quotedFee({ ...quote, delivery_method: "collect" }, "collect", "")).toBe(4_500);
    expect(quotedFee({ ...sent, delivery_fee: 0 as Pesewas, delivery_pricing: "included" }, "x", "Oti")).toBe(
      0,
    );
    // A copy that a browser made before quotes said it.
    expect(quotedFee({}, "deliver", "Oti")).toBe(0);
  });

  it("says how much of a line can be ordered", () => {
    expect(shortageOf({ stock: 5, quantity: 5 })).toBeNull();
    expect(shortageOf({ stock: 4, quantity: 5 })).toBe("Only 4 left");
    expect(shortageOf({ stock: 0, quantity: 5 })).toBe("Out of stock");
    expect(shortageOf({ stock: -1, quantity: 5 })).toBe("Coming soon");
    expect(shortageOf({ stock: -2, quantity: 5 })).toBe("No longer available");
    expect(shortageOf({ stock: null, quantity: 5 })).toBe("No longer sold");
  });

  it("has a name even without a number, and reads an unknown status as one that cannot be accepted", () => {
    expect(quoteName({ reference: null })).toBe("Quote request");
    expect(quoteName({ reference: "Q2026-0007" })).toBe("Quote Q2026-0007");
    expect(readQuoteStatus("expired")).toBe("expired");
    expect(readQuoteStatus("lost")).toBe("requested");
  });
});
