import { describe, expect, it } from "vitest";
import { currenciesIn, currencySign, withoutCurrencies } from "./currencies.ts";

describe("the currency that a text names", () => {
  it.each([
    ["Price (£)", ["GBP"]],
    ["RRP US$", ["USD"]],
    ["EUR", ["EUR"]],
    ["Price GBP", ["GBP"]],
    ["PriceUSD", ["USD"]],
    ["price_gbp", ["GBP"]],
    ["UK RRP", ["GBP"]],
    ["US List price", ["USD"]],
    ["Price in Pounds Sterling", ["GBP"]],
    ["All prices in US Dollars", ["USD"]],
    ["All prices are in U.S. dollars.", ["USD"]],
    ["£12.99", ["GBP"]],
    ["USD 8.00", ["USD"]],
    ["8.00usd", ["USD"]],
    ["12,50 €", ["EUR"]],
    ["C$14.00", ["CAD"]],
    ["A$ 14", ["AUD"]],
    ["₦2,500", ["NGN"]],
    ["Rs. 250", ["INR"]],
    ["FCFA 2 500", ["XOF"]],
    ["¥40", ["¥"]],
    ["SEK 90", ["SEK"]],
    ["Unit Price (GH₵)", ["GHS"]],
    ["GHS 45.00", ["GHS"]],
    ["45 cedis", ["GHS"]],
    ["£12.99 / $15.00", ["GBP", "USD"]],
    ["$ or US$", ["USD"]],
  ])("%s: %j", (text, codes) => {
    expect(currenciesIn(text)).toEqual(codes);
  });

  it.each([
    "Price",
    "Brand",
    "Retail price",
    "45.00",
    "The European Union",
    "Neuroscience",
    "Author's",
    "Status",
    "Bus",
    "Colours",
  ])("is none in %s", (text) => {
    expect(currenciesIn(text)).toEqual([]);
  });

  it("is taken out of a heading and a cell", () => {
    expect(withoutCurrencies("Price (£)")).toBe("Price ()");
    expect(withoutCurrencies("USD 8.00").trim()).toBe("8.00");
    expect(withoutCurrencies("GH₵45.00").trim()).toBe("45.00");
  });

  it("has a sign to stand before an amount", () => {
    expect(["GBP", "USD", "SEK", "¥"].map(currencySign)).toEqual(["£", "US$", "SEK ", "¥ "]);
  });
});
