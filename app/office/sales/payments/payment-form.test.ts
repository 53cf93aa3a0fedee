import { describe, expect, test } from "vitest";
import { findErrors, readAmount } from "./payment-form.ts";

const form = {
  kind: "payment",
  method: "cash",
  amount: "45.50",
  paidOn: "2026-11-20",
  reference: "",
  note: "",
};

describe("The form for recording a payment", () => {
  test("is complete with an amount and a day", () => expect(findErrors(form)).toEqual({}));

  test.each(["", "0", "-5", "a lot"])("needs an amount, not %j", (amount) =>
    expect(findErrors({ ...form, amount })).toEqual({ amount: "Enter an amount, such as 45.50" }),
  );

  test("needs the operator's transaction ID for mobile money", () => {
    const mobile = { ...form, method: "mobile_money", reference: " " };
    expect(findErrors(mobile)).toEqual({ reference: "Enter the operator's transaction ID" });
    expect(findErrors({ ...mobile, reference: "MP251103.1201" })).toEqual({});
  });

  test("needs a day", () => expect(findErrors({ ...form, paidOn: "" })).toEqual({ paidOn: "Enter the day" }));

  test("converts its amount to pesewas", () => {
    expect(readAmount("GH₵1,234.50")).toEqual({ amount: 123_450 });
    expect(readAmount("1.234")).toEqual({ error: "Write this amount with two decimals" });
  });
});
