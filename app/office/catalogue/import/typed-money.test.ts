import { expect, it } from "vitest";
import { readTypedMoney, type TypedMoney } from "./typed-money.ts";

const typed: TypedMoney = { currency: "", rates: {}, percent: "", roundTo: "0.50", source: "Collins" };

it("asks for nothing where all prices are in cedis", () => {
  expect(readTypedMoney(typed, "GHS", [])).toEqual({ conversion: null, errors: {} });
});

it("reads a rate for each currency, the addition and the rounding", () => {
  const money = { ...typed, rates: { GBP: "15.80", USD: "12,4", EUR: "1" }, percent: "12 %", roundTo: "5" };
  expect(readTypedMoney(money, "GBP", ["GBP", "USD"])).toEqual({
    conversion: { rates: { GBP: 15.8, USD: 12.4 }, percent: 12, roundTo: 500 },
    errors: {},
  });
});

it("says what is missing or wrong", () => {
  const money = { ...typed, rates: { GBP: "15.80", USD: "" }, percent: "a lot", source: "x".repeat(201) };
  expect(readTypedMoney(money, null, ["GBP", "USD"]).errors).toEqual({
    currency: "Choose what the prices are in",
    rates: "Enter how many cedis it costs, such as 15.80",
    percent: "Enter a percentage, such as 12",
    source: "The name can have up to 200 characters",
  });
});
