import { afterAll, beforeAll, test } from "vitest";
import { openPaymentKills, type PaymentKills } from "#tests/torture/payment-kills.ts";
import { allMoments } from "#tests/torture/payment-world.ts";

let shop: PaymentKills;
beforeAll(async () => {
  shop = await openPaymentKills();
});
afterAll(() => shop?.close());

test.each(allMoments)(
  "A web process that is killed $moment ($work) leaves the money right",
  ({ work, moment }) => shop.kill(work, moment),
  60_000,
);
