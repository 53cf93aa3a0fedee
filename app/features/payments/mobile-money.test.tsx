import { renderToStaticMarkup } from "react-dom/server";
import { expect, onTestFinished, test } from "vitest";
import { provideShop } from "#app/lib/pages/current-shop.ts";
import { mobileMoneyFacts } from "#shared/owner/mobile-money.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { MobileMoney } from "./mobile-money.tsx";

const wallet = {
  mobileMoneyNetwork: "Telecel Cash",
  mobileMoneyNumber: "020 123 4567",
  mobileMoneyName: "",
  mobileMoneyReference: "{order}",
};

function show(order: number | null, shop: Partial<typeof firstShop>): string {
  provideShop(() => ({ shop: { ...firstShop, ...shop }, json: "" }));
  onTestFinished(() => provideShop(() => ({ shop: firstShop, json: "" })));
  return renderToStaticMarkup(<MobileMoney order={order} />);
}

test("shows a wallet with what the owner has set of it, and the order's number as its reference", () => {
  expect(mobileMoneyFacts({ ...firstShop, ...wallet }, "1042")).toEqual([
    ["Network", "Telecel Cash"],
    ["Number", "020 123 4567"],
    ["Reference", "1042"],
  ]);
});

test("shows nothing of a wallet without a number", () => {
  expect(mobileMoneyFacts({ ...firstShop, ...wallet, mobileMoneyNumber: "" }, "1042")).toEqual([]);
  expect(show(1042, { ...wallet, mobileMoneyNumber: "" })).toBe("");
});

test("offers to copy the number and the reference of a placed order, and says at checkout where the reference comes from", () => {
  const placed = show(1042, wallet);
  expect(placed.match(/Copy<span[^>]*> the (\w+)/g)?.map((text) => text.split(" ").at(-1))).toEqual([
    "number",
    "reference",
  ]);
  const atCheckout = show(null, wallet);
  expect(atCheckout).toContain("your order&#x27;s number");
  expect(atCheckout).toContain("You get the number when you have placed the order.");
  expect(atCheckout).not.toContain("Copy");
});
