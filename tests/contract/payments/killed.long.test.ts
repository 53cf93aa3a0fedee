import { afterAll, beforeAll, test } from "vitest";
import { openPaymentKills, type PaymentKills } from "#tests/torture/payment-kills.ts";
import { allMoments } from "#tests/torture/payment-world.ts";

let shop: PaymentKills;
beforeAll(async () => {
  shop = await openPaymentKills();
});
afterAll(() => shop?.close());

/** Every moment is tried in the long run; here those where one of both sides knows more than the other. */
const chosen = [
  "after open_payment",
  "before note_checkout",
  "before settle_payment",
  "before ask refund",
  "before settle_refund",
];

test.each(allMoments.filter(({ moment }) => chosen.includes(moment)))(
  "A web process that is killed $moment ($work) leaves the money right",
  ({ work, moment }) => shop.kill(work, moment),
  60_000,
);
