import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import type { Pesewas } from "#shared/text/money.ts";
import type { OwnQuote } from "./quote.queries.ts";
import type { QuoteStatus } from "./quote.ts";
import { QuoteSheet } from "./quote-sheet.tsx";

const quote: OwnQuote = {
  id: "q",
  reference: "Q2026-0007",
  institution: "Castle Road School",
  contact_name: null,
  contact_email: null,
  contact_phone: null,
  message: null,
  note: null,
  status: "sent",
  version: 2,
  valid_until: "2026-12-22",
  created_at: "2026-11-22T10:00:00Z",
  sent_at: "2026-11-22T12:00:00Z",
  order_id: null,
  purchase_order_number: null,
  lines: [],
};
const printed = (status: QuoteStatus) => renderToString(<QuoteSheet quote={{ ...quote, status }} />);

it("prints that an offer has expired", () => {
  for (const [status, word] of [
    ["expired", "Expired"],
    ["withdrawn", "Withdrawn"],
    ["declined", "Declined"],
  ] as const)
    expect(printed(status)).toContain(`>${word}<`);
  for (const status of ["sent", "accepted"] as const) expect(printed(status)).not.toContain(">Status<");
});

it("names the seller of the day on which it was sent, and today's where that isn't known", () => {
  const shop = { legalName: "Before Ltd", address: ["1 Old Road"] };
  const sheet = renderToString(<QuoteSheet quote={{ ...quote, shop }} />);
  expect(sheet).toContain("Before Ltd");
  expect(sheet).toContain("1 Old Road");
  expect(sheet).toContain(firstShop.name);
  expect(sheet).not.toContain(firstShop.address[0]);
  expect(printed("sent")).toContain(firstShop.address[0]);
});

it("prints of the shop's texts no price of delivery that differs from its own", () => {
  const sheet = (delivery: Partial<OwnQuote>) =>
    renderToString(
      <QuoteSheet quote={{ ...quote, delivery_method: "deliver", delivery_pricing: "fees", ...delivery }} />,
    );
  const promise = "Delivery is free across Ghana";
  expect(firstShop.deliveryTerms).toContain(promise);
  expect(sheet({ delivery_fee: 0 as Pesewas })).toContain(promise);
  for (const delivery of [
    { delivery_fee: 4_500 as Pesewas },
    { delivery_fee: 0 as Pesewas, delivery_pricing: "included" },
    { delivery_fee: 0 as Pesewas, delivery_method: "download" },
  ]) {
    expect(sheet(delivery)).not.toContain(promise);
    expect(sheet(delivery)).toContain(firstShop.quotePayment.slice(0, 20));
  }
});

it("states the delivery fee and where the books go, or says that the prices include it", () => {
  const parts = (delivery: Partial<OwnQuote>) => {
    const sheet = renderToString(<QuoteSheet quote={{ ...quote, ...delivery }} />);
    const texts = sheet
      .replaceAll(/<[^>]*>/g, "|")
      .split("|")
      .filter(Boolean);
    return texts.slice(texts.indexOf("Delivery") + 1, texts.lastIndexOf("Total"));
  };
  const asked = { delivery_method: "bus_station", region: "Volta", delivery_pricing: "fees" };
  expect(parts({ ...asked, delivery_fee: 4_500 as Pesewas })).toEqual([
    "Bus parcel station, Volta",
    "GH₵45.00",
  ]);
  expect(parts({ ...asked, delivery_fee: 0 as Pesewas })?.[1]).toBe("Free");
  const inPrices = ["Included in the prices"];
  expect(parts({ ...asked, delivery_pricing: "included", delivery_fee: 0 as Pesewas })).toEqual(inPrices);
  expect(parts({})).toEqual(inPrices);
});
