import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import type { PurchaseRecord } from "./purchase.admin-queries.ts";
import { PurchaseDocument } from "./purchase-sheet.tsx";

const purchase: PurchaseRecord = {
  id: "p",
  reference: "PO2026-0001",
  status: "sent",
  currency: "GHS",
  note: null,
  version: 3,
  created_at: "2026-11-22T10:00:00Z",
  sent_at: "2026-11-22T12:00:00Z",
  supplier_name: "Sedco",
  contact_name: null,
  email: null,
  phone: null,
  terms: null,
  discount: 0,
  lines: [],
  total: 0,
  shop: {},
};

test("prints a purchase order from the shop as it was when it was sent, and as it is where that isn't known", () => {
  const shop = { legalName: "Before Ltd", address: ["1 Old Road"] };
  const sheet = renderToString(<PurchaseDocument purchase={{ ...purchase, shop }} />);
  expect(sheet).toContain("Before Ltd");
  expect(sheet).toContain("1 Old Road");
  expect(sheet).not.toContain(firstShop.address[0]);
  expect(renderToString(<PurchaseDocument purchase={purchase} />)).toContain(firstShop.address[0]);
});
