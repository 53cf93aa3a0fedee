import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import type { CartLine } from "./cart.ts";
import { CartSummary, type Shipping } from "./cart-summary.tsx";

const line = { quantity: 2, book: { price: pesewasFromCedis(78) } } as CartLine;
const textsOf = (shipping: Shipping) =>
  renderToStaticMarkup(<CartSummary lines={[line]} shipping={shipping} />)
    .replace(/<d[td]/g, "|<")
    .replace(/<[^>]*>/g, "")
    .split("|")
    .slice(3);

it("adds a known fee to the total", () => {
  expect(textsOf(pesewasFromCedis(0))).toEqual(["Shipping", "Free", "Total", "₵156.00"]);
  expect(textsOf(pesewasFromCedis(45))).toEqual(["Shipping", "GH₵45.00", "Total", "₵201.00"]);
});

it("shows neither free delivery nor a total before the fee is known", () => {
  for (const [shipping, text] of [
    ["loading", "Working it out…"],
    ["failed", "Not known yet"],
    ["needs-region", "Choose a region"],
    ["at-checkout", "At checkout"],
  ] as const)
    expect(textsOf(shipping)).toEqual(["Shipping", text, "Total", "from ₵156.00"]);
});
