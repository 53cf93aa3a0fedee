import { expect, test } from "vitest";
import { besideDeliveryLine } from "./delivery-words.ts";

const free = "Delivery is free across Ghana: one to two working days in Accra.";

test("leaves out of a document's text that delivery is free, unless it is", () => {
  const text = `${free} Call us first.\nPay within 30 days.`;
  expect(besideDeliveryLine(text, true)).toBe(text);
  expect(besideDeliveryLine(text, false)).toBe("Call us first.\nPay within 30 days.");
  expect(besideDeliveryLine(free, false)).toBe("");
});

test("leaves out of a document's text what delivery costs, and keeps the rest as it is written", () => {
  const text = "Pay GH₵5 by card.\n\nDelivery to Volta costs GH₵45.\nWe deliver within a week.";
  const left = "Pay GH₵5 by card.\n\nWe deliver within a week.";
  for (const isFree of [true, false]) expect(besideDeliveryLine(text, isFree)).toBe(left);
  const collecting = "Collecting at the shop is free, delivery is not.  Ask us.";
  expect(besideDeliveryLine(collecting, false)).toBe(collecting);
});
