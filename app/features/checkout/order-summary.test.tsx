import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, it } from "vitest";
import type { CartLine } from "#app/features/cart/cart.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { OrderSummary } from "./order-summary.tsx";

const lineOf = (n: number, stock_quantity = 10): CartLine => ({
  id: String(n),
  quantity: 2,
  book: {
    id: String(n),
    title: `Title ${n}.`,
    publisher: null,
    price: pesewasFromCedis(10),
    stock_quantity,
    image_url: null,
    subject: null,
    course: null,
    kind: "book",
    digital_by: null,
  },
});
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => lineOf(n));
const summaryOf = (lines: CartLine[]) => {
  const Page = createRoutesStub([
    { id: "root", path: "/", Component: () => <OrderSummary shipping={pesewasFromCedis(0)} lines={lines} /> },
  ]);
  const html = renderToStaticMarkup(<Page hydrationData={{ loaderData: { root: { backendUrl: "" } } }} />);
  const shown = lines.filter(({ book }) => html.includes(`>${book.title}<`)).map(({ id }) => Number(id));
  return { html, shown };
};

it("shows every line of a short order", () => {
  for (const count of [1, 4, 6]) {
    const { html, shown } = summaryOf(linesOf(count));
    expect(shown).toHaveLength(count);
    expect(html).not.toContain("Show all");
  }
});

it("collapses a long order to its first lines and still shows the whole total", () => {
  const { html, shown } = summaryOf(linesOf(114));
  expect(shown).toEqual([0, 1, 2, 3]);
  expect(html).toContain("Show all 114 titles");
  expect(html).toContain("₵2,280.00");
});

it("shows lines with too little stock in a collapsed order", () => {
  const lines = linesOf(114).map((line, n) => (n === 70 ? lineOf(70, 1) : line));
  expect(summaryOf(lines).shown).toEqual([0, 1, 2, 3, 70]);
});
