import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { DocumentOrder } from "#app/features/documents/document.ts";
import { DeliveryNote, OrderInvoice } from "#app/features/documents/order-document.tsx";
import { pesewasFromCedis } from "#app/lib/money.ts";
import { noOrderTexts } from "#app/lib/order-examples.ts";
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
  ].map((item) => ({ ...item, price: pesewasFromCedis(5) })),
};
const due = { paid: pesewasFromCedis(0), due: pesewasFromCedis(10), state: "due" } as const;
const invoice = { reference: "I2026-0001", issued_at: "2026-11-22T10:00:00Z" };

const asInvoice = (changes: Partial<DocumentOrder> = {}) =>
  renderToStaticMarkup(<OrderInvoice order={{ ...order, ...changes }} invoice={invoice} payment={due} />);
const asNote = (changes: Partial<DocumentOrder> = {}) =>
  renderToStaticMarkup(<DeliveryNote order={{ ...order, ...changes }} />);
const asPackingList = (changes: Partial<DocumentOrder> = {}) =>
  renderToStaticMarkup(<PackingSheet order={{ ...order, ...changes }} payment={due} />);

test("Every document of an order shows a book's ISBN in the same form", () => {
  for (const html of [asInvoice(), asNote(), asPackingList()]) {
    expect(html).toContain("ISBN 978-0-19-853453-2");
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
