import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { DocumentOrder } from "#app/features/documents/document.ts";
import { DeliveryNote, OrderInvoice } from "#app/features/documents/order-document.tsx";
import { noOrderTexts } from "#shared/orders/order-examples.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { PackingSheet } from "./packing-sheet.tsx";

const order: DocumentOrder = {
  id: "o",
  number: 1042,
  created_at: "2026-11-22T10:00:00Z",
  status: "pending",
  total_amount: pesewasFromCedis(10),
  delivery_fee: pesewasFromCedis(0),
  quote: null,
  ...noOrderTexts,
  shipping_address: "5 Castle Road, Kumasi",
  recipient_name: "Ama Mensah",
  recipient_phone: "+233201234567",
  items: [
    { id: "a", title: "Atlas", publisher: null, isbn: "0198534531", quantity: 1 },
    { id: "b", title: "Chalk", publisher: null, isbn: "AB-20261120-001", quantity: 1 },
  ].map((item) => ({ ...item, price: pesewasFromCedis(5), kind: "book" })),
};
const digital = {
  id: "c",
  title: "E-atlas",
  publisher: null,
  isbn: null,
  quantity: 2,
  price: pesewasFromCedis(5),
  kind: "digital",
};
const due = {
  paid: pesewasFromCedis(0),
  due: pesewasFromCedis(10),
  owedBack: pesewasFromCedis(0),
  kept: pesewasFromCedis(0),
  returned: pesewasFromCedis(0),
  state: "due",
} as const;
const invoice = { reference: "I2026-0001", issued_at: "2026-11-22T10:00:00Z", changed_at: null, shop: {} };

const asInvoice = (changes: Partial<DocumentOrder> = {}) =>
  renderToStaticMarkup(<OrderInvoice order={{ ...order, ...changes }} invoice={invoice} payment={due} />);
const asNote = (changes: Partial<DocumentOrder> = {}) =>
  renderToStaticMarkup(<DeliveryNote order={{ ...order, ...changes }} />);
const asPackingList = (changes: Partial<DocumentOrder> = {}) =>
  renderToStaticMarkup(<PackingSheet order={{ ...order, ...changes }} payment={due} />);

test("A delivery note and a packing list have the copies of their parcel, and an invoice all", () => {
  const items = order.items.map((item) => ({ ...item, quantity: 5 }));
  const part = { items: [...items, digital], parcel: { a: 3 } };
  for (const html of [asNote(part), asPackingList(part)]) {
    expect(html).toContain("Atlas");
    expect(html).not.toContain("Chalk");
    expect(html).toContain("3 of the order&#x27;s 10 copies");
  }
  expect(asInvoice(part)).toContain("Chalk");
  for (const html of [asNote({ items }), asPackingList({ items })])
    expect(html).not.toContain("of the order");
});

test("An invoice says that delivery is free, costs a fee, or is included in the prices of its quote", () => {
  const delivery = (changes: Partial<DocumentOrder>) =>
    /Delivery<\/dt><dd[^>]*>([^<]*)</.exec(asInvoice(changes))?.[1];
  const quote = { purchase_order_number: null, delivery_pricing: "included" };
  expect(delivery({})).toBe("Free");
  expect(delivery({ quote: { ...quote, delivery_pricing: "fees" } })).toBe("Free");
  expect(delivery({ quote })).toBe("Included in the prices");
  expect(delivery({ quote, delivery_fee: pesewasFromCedis(7) })).toBe("GH₵7.00");
  expect(delivery({ quote, delivery_method: "download" })).toBe("By download");
});

test("The invoice of a changed order says when it was changed, so that it isn't mistaken for an older copy", () => {
  const changed = { ...invoice, changed_at: "2026-11-24T16:05:00Z" };
  const html = renderToStaticMarkup(<OrderInvoice order={order} invoice={changed} payment={due} />);
  expect(html).toContain("Changed");
  expect(html).toContain(formatMinute(changed.changed_at));
  expect(asInvoice()).not.toContain("Changed");
});

test("An invoice that is printed again has the seller and the taxes of its time", () => {
  const shop = {
    name: "Old Books",
    legalName: "Old Limited",
    taxNumber: "C000",
    phones: ["+233302000999"],
    taxes: [{ name: "VAT", percent: 25 }],
  };
  const html = renderToStaticMarkup(
    <OrderInvoice order={order} invoice={{ ...invoice, shop }} payment={due} />,
  );
  for (const words of ["Old Books", "Old Limited", "C000", "+233302000999", "Including VAT 25%", "GH₵8.00"])
    expect(html).toContain(words);
  expect(html).not.toContain(firstShop.name);
});

test("An invoice names the version of the terms that its order has", () => {
  expect(asInvoice({ terms_version: 3 })).toContain(
    "/terms?version=3. Delivery and returns: /delivery-and-returns?version=3",
  );
  expect(asInvoice()).toContain("/terms. Delivery and returns: /delivery-and-returns<");
});

test("Every document of an order shows a book's ISBN in the same form", () => {
  for (const html of [asInvoice(), asNote(), asPackingList()]) {
    expect(html).toContain("ISBN 9780198534532");
    expect(html).not.toContain("0198534531");
  }
});

test("Only the packing list shows the shop's own codes, and doesn't call them ISBNs", () => {
  for (const html of [asInvoice(), asNote()]) expect(html).not.toContain("AB-20261120-001");
  expect(asPackingList()).toContain("Code AB-20261120-001");
});

test("An order to be delivered names its address above the books", () => {
  for (const html of [asNote(), asPackingList()]) {
    expect(html).toContain("Deliver to");
    expect(html).toContain("5 Castle Road, Kumasi");
  }
});

test("A delivery note and a packing list show no address for an order that the customer collects", () => {
  const collected = { delivery_method: "collect" };
  for (const html of [asNote(collected), asPackingList(collected)]) {
    expect(html).toContain("To be collected by");
    expect(html).toContain("Ama Mensah");
    expect(html).not.toMatch(/Deliver to|Castle Road/);
  }
  expect(asInvoice(collected)).toContain("5 Castle Road, Kumasi");
});

test("The heading of a bus parcel says that it goes to a bus station", () => {
  const sent = { delivery_method: "bus_station", bus_station: "VIP, Kumasi Asafo" };
  for (const html of [asNote(sent), asPackingList(sent)]) {
    expect(html).toContain("Send by bus to");
    expect(html).toContain("VIP, Kumasi Asafo");
    expect(html).not.toContain("Deliver to");
  }
});

test("Digital titles are on the invoice, but not in the parcel", () => {
  const mixed = { items: [...order.items, digital] };
  expect(asInvoice(mixed)).toContain("E-atlas");
  for (const html of [asNote(mixed), asPackingList(mixed)]) {
    expect(html).toContain("Atlas");
    expect(html).not.toContain("E-atlas");
    expect(html).toMatch(/Copies\D*2\D/);
  }
  expect(asPackingList(mixed)).toContain("Its digital titles are not packed.");
  expect(asPackingList({ items: [digital] })).toContain("Nothing to pack");
});

test("An order that is downloaded has no address, and its invoice says how it is delivered", () => {
  const downloaded = { items: [digital], delivery_method: "download", shipping_address: null };
  expect(asPackingList(downloaded)).toContain("To be downloaded by");
  expect(asInvoice(downloaded)).toContain("By download");
  expect(asInvoice(downloaded)).not.toContain("Free");
});
